import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { crcOf } from './crc';
import { HashThreads, SLOT_BYTES, type Sums } from './hash-threads';

/** Smaller blocks are hashed on the calling thread: passing them to another costs more. */
const THREAD_ABOVE = 32 << 10;
/** Blocks of one upload that are read, hashed or written concurrently. */
const UNDER_WAY = 16;

/** Hashes blocks, large ones on threads, which are started on demand and then kept. */
export class HashPool {
  readonly #most: number;
  #threads: HashThreads | undefined;

  /**
   * @param threads - Maximum number of hashing threads, leaving one CPU free; 0 hashes everything on the calling
   * thread.
   */
  constructor(threads: number) {
    this.#most = Math.min(threads, Math.max(1, availableParallelism() - 1));
  }

  /**
   * How many blocks one upload should process concurrently, so that no thread waits for it, and the disk gets several
   * at a time.
   */
  get width(): number {
    return this.#most === 0 ? 2 : UNDER_WAY;
  }

  /**
   * Hashes `before`, the `pieces` and `after` as one block. `use` receives the sums and the block's pieces, which are
   * valid only until it settles; they may be shared memory.
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

  /** Ends the threads until another block needs hashing. Pending requests are rejected. */
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
