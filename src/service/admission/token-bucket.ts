/** Limits a rate: so much per second in the long run, and a burst after a pause; without a rate, nothing. */
export class TokenBucket {
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #now: () => number;
  #tokens: number;
  /** The time at which the tokens were last counted, in milliseconds. */
  #counted: number;

  /** @param now - A monotonic clock, in milliseconds. */
  constructor(perSecond = Infinity, burst = Infinity, now: () => number = () => performance.now()) {
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#now = now;
    this.#tokens = burst;
    this.#counted = now();
  }

  /**
   * Takes tokens if there are enough. Of more than the burst, a full bucket is enough; whoever comes next waits for the
   * rest.
   *
   * @param debt - How many may be missing.
   * @returns In how many whole seconds there will be enough; 0 if they were taken.
   */
  take(count: number, debt = 0): number {
    if (this.#perSecond === Infinity) return 0;
    this.#refill();
    const missing = Math.min(count, this.#burst) - debt - this.#tokens;
    if (missing > 0) return Math.max(1, Math.ceil(missing / this.#perSecond));
    this.#tokens -= count;
    return 0;
  }

  /** Takes tokens although there may be too few: whoever comes next waits for them. */
  charge(count: number): void {
    if (this.#perSecond === Infinity) return;
    this.#refill();
    this.#tokens -= count;
  }

  #refill(): void {
    const now = this.#now();
    this.#tokens = Math.min(this.#burst, this.#tokens + ((now - this.#counted) / 1000) * this.#perSecond);
    this.#counted = now;
  }
}
