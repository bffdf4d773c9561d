/**
 * Block hash -> candidate block numbers, as sorted entries of two 32-bit words: the first four bytes of the hash, and
 * the number. 8 bytes of memory per entry. Callers must compare the whole hash.
 */
export class HashIndex {
  /** Pairs: number, prefix. The order within a pair makes each pair one little-endian 64-bit key. */
  readonly #pairs: Uint32Array;

  /** @param pairs - Number and hash prefix of each entry, in any order; owned by the index and sorted in place. */
  constructor(pairs: Uint32Array) {
    new BigUint64Array(pairs.buffer, pairs.byteOffset, pairs.length / 2).sort();
    this.#pairs = pairs;
  }

  get bytes(): number {
    return this.#pairs.byteLength;
  }

  /** @returns Numbers of the blocks whose hash has the same first four bytes; nearly always at most one. */
  candidates(hash: Uint8Array): number[] {
    const pairs = this.#pairs;
    const wanted = hashPrefix(hash, 0);
    let low = 0;
    let high = pairs.length / 2;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((pairs[2 * middle + 1] as number) < wanted) low = middle + 1;
      else high = middle;
    }
    const found: number[] = [];
    for (; pairs[2 * low + 1] === wanted; low++) found.push(pairs[2 * low] as number);
    return found;
  }
}

/** @returns The first four bytes of the hash at `at`, as a number. */
export function hashPrefix(bytes: Uint8Array, at: number): number {
  const [a = 0, b = 0, c = 0, d = 0] = bytes.subarray(at, at + 4);
  return ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
}
