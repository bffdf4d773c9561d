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
   * Takes tokens if there are enough; more than the burst count as the burst.
   *
   * @returns In how many whole seconds there will be enough; 0 if they were taken.
   */
  take(count: number): number {
    if (this.#perSecond === Infinity) return 0;
    this.#refill();
    const wanted = Math.min(count, this.#burst);
    if (this.#tokens < wanted) return Math.max(1, Math.ceil((wanted - this.#tokens) / this.#perSecond));
    this.#tokens -= wanted;
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
