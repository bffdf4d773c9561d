/**
 * An approximate LRU cache with two generations. A hit moves an entry to the young generation; when that is full, it
 * becomes the old one and the previous old one is dropped. A lookup is one map search, and no order has to be
 * maintained.
 */
export class LruCache<Key, Value> {
  readonly #size: number;
  #young = new Map<Key, Value>();
  #old = new Map<Key, Value>();

  /** @param size - Capacity of one generation; the cache holds at most twice as many entries. */
  constructor(size: number) {
    this.#size = size;
  }

  /** @returns The cached value; undefined if there is none. */
  get(key: Key): Value | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  /** Adds a value to the young generation. */
  set(key: Key, value: Value): void {
    if (this.#young.size >= this.#size) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }

  /** The number of entries; an entry in both generations counts twice. */
  get size(): number {
    return this.#young.size + this.#old.size;
  }
}
