import { createHash, webcrypto } from 'node:crypto';
import { crcOf } from './crc';

/** SHA2-256 and CRC-32 of one block. */
export type Sums = { readonly digest: Uint8Array; readonly crc: number };

/** Below this a block is hashed where it is: handing it to another thread costs more. */
const THREAD_ABOVE = 32 << 10;

/** Hashes blocks, the larger ones on the threads that Node has for such work. */
export class HashPool {
  readonly #threads: number;
  #hashing = 0;
  readonly #waiting: (() => void)[] = [];
  /** Memory of blocks that are stored by now. */
  readonly #free: Uint8Array[] = [];

  /** @param threads how many blocks are hashed at once; 0 hashes everything on the calling thread. */
  constructor(threads: number) {
    this.#threads = threads;
  }

  /** How many blocks one upload should keep under way, so that no thread waits for it, and the disk gets several at a time. */
  get width(): number {
    return 2 * this.#threads + 2;
  }

  /**
   * Hashes `before`, the `pieces` and `after` as one block. `use` gets the sums and the block's pieces, which are only
   * valid until it settles.
   */
  async hash(
    before: Uint8Array,
    pieces: readonly Uint8Array[],
    after: Uint8Array,
    use: (sums: Sums, parts: readonly Uint8Array[]) => Promise<void>,
  ): Promise<void> {
    const parts = [before, ...pieces, after];
    const length = parts.reduce((sum, part) => sum + part.byteLength, 0);
    if (this.#threads === 0 || length < THREAD_ABOVE) {
      await use(sumsOf(parts), parts);
      return;
    }
    const memory = this.#takeMemory(length);
    try {
      const block = memory.subarray(0, length);
      let at = 0;
      for (const part of parts) {
        block.set(part, at);
        at += part.byteLength;
      }
      await use({ crc: crcOf([block]), digest: await this.#digest(block) }, [block]);
    } finally {
      if (this.#free.length < this.width) this.#free.push(memory);
    }
  }

  async #digest(block: Uint8Array): Promise<Uint8Array> {
    if (this.#hashing < this.#threads) this.#hashing++;
    // Whoever ends hands his place over.
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return new Uint8Array(await webcrypto.subtle.digest('SHA-256', block));
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#hashing--;
      else next();
    }
  }

  #takeMemory(length: number): Uint8Array {
    const index = this.#free.findIndex((memory) => memory.byteLength >= length);
    const [found] = index < 0 ? [] : this.#free.splice(index, 1);
    return found ?? new Uint8Array(length);
  }
}

/** SHA2-256 and CRC-32 of the pieces as one block, on the calling thread. */
function sumsOf(parts: readonly Uint8Array[]): Sums {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return { digest: hash.digest(), crc: crcOf(parts) };
}
