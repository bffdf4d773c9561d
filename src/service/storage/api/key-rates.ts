import { TokenBucket } from '../../runtime/token-bucket';
import { type Limits } from '../content/limits';

/** Seconds of its rate that a key may use at once. */
const BURST_SECONDS = 10;

type Rates = Pick<Limits, 'keyPerSecond' | 'keyBurst' | 'keyBytesPerSecond'>;

/** How many requests, and how many bytes, each key sends and receives. Counts are of this process alone. */
export class KeyRates {
  readonly #limits: Rates;
  /** Only existing keys are counted, so their number is bounded. */
  readonly #keys = new Map<string, { readonly requests: TokenBucket; readonly bytes: TokenBucket }>();

  constructor(limits: Rates) {
    this.#limits = limits;
  }

  /**
   * Counts a request; nothing is counted if it is refused.
   *
   * @returns Why it is refused, and after how many seconds it may be tried again.
   */
  begin(tenant: string): { readonly limit: string; readonly seconds: number } | undefined {
    const { keyPerSecond, keyBytesPerSecond } = this.#limits;
    const { requests, bytes } = this.#of(tenant);
    const forBytes = bytes.take(0);
    if (forBytes > 0) return { limit: `${keyBytesPerSecond} bytes per second of this key`, seconds: forBytes };
    const seconds = requests.take(1);
    return seconds > 0 ? { limit: `${keyPerSecond} requests per second of this key`, seconds } : undefined;
  }

  /** Counts bytes that were received or sent: they delay the next request. */
  moved(tenant: string, bytes: number): void {
    this.#of(tenant).bytes.charge(bytes);
  }

  #of(tenant: string) {
    const { keyPerSecond, keyBurst, keyBytesPerSecond } = this.#limits;
    const own = this.#keys.get(tenant) ?? {
      requests: new TokenBucket(keyPerSecond, keyBurst),
      bytes: new TokenBucket(keyBytesPerSecond, BURST_SECONDS * keyBytesPerSecond),
    };
    this.#keys.set(tenant, own);
    return own;
  }
}
