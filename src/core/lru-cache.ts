/** A map of the values that were used last. */
export class LruCache<Key, Value> {
  readonly #size: number;
  /** The least recently used one is the first. */
  readonly #values = new Map<Key, Value>();

  /** @param size - The maximum number of values. */
  constructor(size: number) {
    this.#size = size;
  }

  /** @returns Undefined if it is not held, or no longer. */
  get(key: Key): Value | undefined {
    const value = this.#values.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: Key, value: Value): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    const [oldest] = this.#values.keys();
    if (this.#values.size > this.#size && oldest !== undefined) this.#values.delete(oldest);
  }

  delete(key: Key): void {
    this.#values.delete(key);
  }

  clear(): void {
    this.#values.clear();
  }
}
