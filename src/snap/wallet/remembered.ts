/**
 * Caches one value of the state after it was read and validated. Only the snap writes its state, and each read is a
 * round trip to MetaMask. Must not be used for secrets, which may be in memory only while a request needs them.
 */
export class Remembered<T extends object> {
  #value: T | undefined;
  /** The current read, unless it started before the last change. */
  #reading: Promise<T> | undefined;

  /** @param read - Reads the value. Called only if it is not cached and no read is in progress. */
  async get(read: () => Promise<T>): Promise<T> {
    if (this.#value !== undefined) return this.#value;
    const reading = (this.#reading ??= read());
    try {
      const value = await reading;
      if (this.#reading === reading) this.#value = value;
      return value;
    } finally {
      if (this.#reading === reading) this.#reading = undefined;
    }
  }

  /** @param write - Stores the value. If it fails, the stored value is unknown and is read again. */
  async set(value: T, write: () => Promise<void>): Promise<void> {
    this.forget();
    try {
      await write();
    } finally {
      // A read during the write may have cached the old value.
      this.forget();
    }
    this.put(value);
  }

  /** @returns The cached value, if there is one. */
  peek(): T | undefined {
    return this.#value;
  }

  /** @param value - The stored value. */
  put(value: T): void {
    this.forget();
    this.#value = value;
  }

  /** Drops the cached value, so the next access reads it again. */
  forget(): void {
    this.#reading = undefined;
    this.#value = undefined;
  }
}
