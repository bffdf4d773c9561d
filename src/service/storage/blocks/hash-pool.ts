import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { crcOf } from './crc';
import { HashThreads, SLOT_BYTES, type Sums } from './hash-threads';

/** Below this a block is hashed where it is: handing it to another thread costs more. */
const THREAD_ABOVE = 32 << 10;
/** Blocks of one upload that are read, hashed or written at once. */
const UNDER_WAY = 16;

/** Hashes blocks, the larger ones on threads of their own, which are started when they are needed, and stay. */
export class HashPool {
  readonly #most: number;
  #threads: HashThreads | undefined;

  /** @param threads - Threads that hash at most, of which one processor is left free; 0 hashes everything on the calling one. */
  constructor(threads: number) {
    this.#most = Math.min(threads, Math.max(1, availableParallelism() - 1));
  }

  /** How many blocks one upload should keep under way, so that no thread waits for it, and the disk gets several at a time. */
  get width(): number {
    return this.#most === 0 ? 2 : UNDER_WAY;
  }

  /**
   * Hashes `before`, the `pieces` and `after` as one block. `use` gets the sums and the block's pieces, which are only
   * valid until it settles; they may be memory that threads share.
   */
  async hash(
    before: Uint8Array,
    pieces: readonly Uint8Array[],
    after: Uint8Array,
    use: (sums: Sums, parts: readonly Uint8Array[]) => Promise<void>,
  ): Promise<void> {
    const parts = [before, ...pieces, after];
    const length = parts.reduce((sum, part) => sum + part.byteLength, 0);
    if (this.#most === 0 || length < THREAD_ABOVE || length > SLOT_BYTES) {
      await use(sumsOf(parts), parts);
      return;
    }
    const threads = this.#awake();
    const slot = await threads.take();
    try {
      const block = threads.bytes(slot, length);
      let at = 0;
      for (const part of parts) {
        if (part.byteLength > 0) block.fill(part, at, at + part.byteLength);
        at += part.byteLength;
      }
      await use(await threads.hash(slot, length), [block]);
    } finally {
      threads.giveBack(slot);
    }
  }

  /** Ends the threads, until somebody has something to hash again. Who waits for one is told that it is over. */
  async close(): Promise<void> {
    const threads = this.#threads;
    this.#threads = undefined;
    await threads?.end();
  }

  #awake(): HashThreads {
    if (this.#threads !== undefined) return this.#threads;
    const threads = new HashThreads(this.#most, () => {
      if (this.#threads === threads) this.#threads = undefined;
    });
    this.#threads = threads;
    return threads;
  }
}

/** SHA2-256 and CRC-32 of the pieces as one block, on the calling thread. */
function sumsOf(parts: readonly Uint8Array[]): Sums {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return { digest: hash.digest(), crc: crcOf(parts) };
}
