/**
 * One value of the state, kept in memory once it was read and found sound: nobody but the snap writes its
 * state, and each read costs a trip to the wallet. Never for a secret, which may be in memory only while a
 * request needs it.
 */
export class Remembered<T extends object> {
  #value: T | undefined;
  /** The read that is under way; none that began before the last change. */
  #reading: Promise<T> | undefined;

  /** @param read - Reads the value, where it is neither in memory nor being read already. */
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

  /** @param write - Stores the value. If that fails, nobody knows what is stored, and it is read again. */
  async set(value: T, write: () => Promise<void>): Promise<void> {
    this.forget();
    try {
      await write();
    } finally {
      // Who asked meanwhile was told, and had kept here, what was stored before.
      this.forget();
    }
    this.put(value);
  }

  /** @returns What is in memory, if anything is. */
  peek(): T | undefined {
    return this.#value;
  }

  /** @param value - What is stored now. */
  put(value: T): void {
    this.forget();
    this.#value = value;
  }

  /** From now on it is read again. */
  forget(): void {
    this.#reading = undefined;
    this.#value = undefined;
  }
}
