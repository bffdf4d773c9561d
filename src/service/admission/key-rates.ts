import { TokenBucket } from './token-bucket';

/** A rate that is exceeded, and when there is room again. */
export type Exceeded = { limit: string; seconds: number };

/** A key, and the rates that it was given. */
type Limited = {
  readonly id: string;
  readonly limits?:
    | { readonly requestsPerSecond?: number | undefined; readonly creditsPerSecond?: number | undefined }
    | undefined;
};

type Buckets = { perSecond: number | undefined; creditsPerSecond: number | undefined } & {
  requests: TokenBucket;
  credits: TokenBucket;
};

/** The requests and credits a second of keys that have such limits, in one process. */
export class KeyRates {
  readonly #now: () => number;
  /** Holds existing keys only. */
  readonly #buckets = new Map<string, Buckets>();

  /** @param now - A monotonic clock, in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Counts a request.
   *
   * @param identity - Of the caller.
   * @param credits - What the request costs.
   * @returns Undefined if it is within the limits; otherwise the limit that is exceeded.
   */
  take(identity: Limited, credits: number): Exceeded | undefined {
    const buckets = this.#of(identity);
    if (buckets === undefined) return undefined;
    const { requests, credits: balance, perSecond, creditsPerSecond = 0 } = buckets;
    const forRequest = requests.take(1);
    if (forRequest > 0) return { limit: `${perSecond} requests per second for this key`, seconds: forRequest };
    const forCredits = balance.take(credits);
    if (forCredits > 0) return { limit: `${creditsPerSecond} credits per second for this key`, seconds: forCredits };
    // A request may cost more than a second has; the next one waits for it.
    balance.charge(Math.max(0, credits - creditsPerSecond));
    return undefined;
  }

  /** Counts credits that are spent without a request. The next request may have to wait for them. */
  spend(identity: Limited, credits: number): void {
    this.#of(identity)?.credits.charge(credits);
  }

  #of({ id, limits }: Limited): Buckets | undefined {
    const { requestsPerSecond: perSecond, creditsPerSecond } = limits ?? {};
    const known = this.#buckets.get(id);
    if (perSecond === undefined && creditsPerSecond === undefined) return undefined;
    if (known?.perSecond === perSecond && known?.creditsPerSecond === creditsPerSecond) return known;
    const bucket = (rate: number | undefined) => new TokenBucket(rate, rate, this.#now);
    const made = { perSecond, creditsPerSecond, requests: bucket(perSecond), credits: bucket(creditsPerSecond) };
    this.#buckets.set(id, made);
    return made;
  }
}
