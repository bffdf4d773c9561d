/** A timeout that can be paused. It starts running at once. */
export class PausableTimer {
  #remaining: number;
  #startedAt = 0;
  #handle: ReturnType<typeof setTimeout> | undefined;
  readonly #onEnd: () => void;

  /** @param duration - Milliseconds. */
  constructor(duration: number, onEnd: () => void) {
    this.#remaining = duration;
    this.#onEnd = onEnd;
    this.resume();
  }

  pause(): void {
    if (this.#handle === undefined) return;
    this.cancel();
    this.#remaining -= Date.now() - this.#startedAt;
  }

  resume(): void {
    if (this.#handle !== undefined) return;
    this.#startedAt = Date.now();
    this.#handle = setTimeout(this.#onEnd, Math.max(0, this.#remaining));
  }

  cancel(): void {
    clearTimeout(this.#handle);
    this.#handle = undefined;
  }
}
