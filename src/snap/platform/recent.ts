/** A map of the values that were used last. */
export class Recent<Key, Value> {
  readonly #size: number;
  /** The one that was used longest ago is the first. */
  readonly #values = new Map<Key, Value>();

  /** @param size - How many it holds at most. */
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
}
