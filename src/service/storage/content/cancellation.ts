import { type GivenUpError } from '../errors';

/**
 * Whether a request is still wanted. Used instead of `AbortSignal`, because Node retains each signal and what it refers
 * to until the next full garbage collection, which at some thousand requests per second adds up to tens of MiB.
 */
export class Cancellation {
  #reason: GivenUpError | undefined;
  #listeners: (() => void)[] = [];

  /** Cancels the request. Only the first reason counts. */
  cancel(reason: GivenUpError): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    for (const listener of this.#listeners.splice(0)) listener();
  }

  /** @throws GivenUpError with the reason, if the request was cancelled. */
  throwIfCancelled(): void {
    if (this.#reason !== undefined) throw this.#reason;
  }

  /**
   * Calls `listener` when the request is cancelled, unless it already was; the returned function removes the listener.
   */
  onCancel(listener: () => void): () => void {
    this.#listeners.push(listener);
    return () => {
      this.#listeners = this.#listeners.filter((each) => each !== listener);
    };
  }
}
