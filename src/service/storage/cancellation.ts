import { type GivenUpError } from './errors';

/**
 * Whether a request is still wanted. What an `AbortSignal` would do; but Node keeps each of those, with what it refers
 * to, until all memory is collected, which at some thousand requests a second are tens of MiB.
 */
export class Cancellation {
  #reason: GivenUpError | undefined;
  #listeners: (() => void)[] = [];

  /** Gives the request up. Only the first reason counts. */
  cancel(reason: GivenUpError): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    for (const listener of this.#listeners.splice(0)) listener();
  }

  /** @throws GivenUpError with the reason, when the request was given up. */
  throwIfCancelled(): void {
    if (this.#reason !== undefined) throw this.#reason;
  }

  /** Calls `listener` when the request is given up, unless it was before; the returned function calls that off. */
  onCancel(listener: () => void): () => void {
    this.#listeners.push(listener);
    return () => {
      this.#listeners = this.#listeners.filter((each) => each !== listener);
    };
  }
}
