/**
 * Keeps what was used lately. Two generations: what is asked for again moves to the younger one; when that is full, it
 * becomes the older, and what was in the older is forgotten. So a look at it costs one search, and no order has to be kept.
 */
export class Recent<Key, Value> {
  readonly #size: number;
  #young = new Map<Key, Value>();
  #old = new Map<Key, Value>();

  /** @param size - Of a generation; twice as many are kept at the most. */
  constructor(size: number) {
    this.#size = size;
  }

  /** @returns What was kept under this key; undefined if nothing is. */
  get(key: Key): Value | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  /** Keeps a value; it is the youngest now. */
  set(key: Key, value: Value): void {
    if (this.#young.size >= this.#size) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }

  /** How many are kept; one that is in both generations counts twice. */
  get size(): number {
    return this.#young.size + this.#old.size;
  }
}
