import { TokenBucket } from '../runtime/token-bucket';
import { limitExceeded, unavailable } from './errors';

/** Bytes of one piece of a request. Each further piece counts as one more request. */
export const PIECE_BYTES = 64 * 1024;

export type KeyLimitsConfig = {
  /** Requests per second in the long run. */
  keyPerSecond: number;
  /** Requests at once, after a pause. */
  keyBurst: number;
  /** Requests in progress. */
  keyRequests: number;
  /** Open WebSockets. */
  keySockets: number;
  /** Bytes of large bodies in progress, of one key and of all. */
  keyBytes: number;
  allBytes: number;
};

/** Bytes of large bodies in progress, of all keys. */
type Held = { bytes: number };

/** What one key is using now. */
export class KeyUse {
  readonly #config: KeyLimitsConfig;
  readonly #all: Held;
  readonly #rate: TokenBucket;
  #requests = 0;
  #sockets = 0;
  #bytes = 0;

  constructor(config: KeyLimitsConfig, all: Held, now: () => number) {
    this.#config = config;
    this.#all = all;
    this.#rate = new TokenBucket(config.keyPerSecond, config.keyBurst, now);
  }

  /**
   * Counts requests against the rate (a token bucket).
   *
   * @param count - How many; a batch counts as its items.
   * @throws {RpcError} -32005 with status 429; nothing is counted then.
   */
  take(count: number): void {
    const seconds = this.#rate.take(count);
    if (seconds > 0) throw limitExceeded(`${this.#config.keyPerSecond} requests per second for this key`, seconds);
  }

  /**
   * Begins a request; {@link leave} ends it, and {@link release} gives its bytes back.
   *
   * @param pieces - Its pieces, as far as they are known.
   * @param held - Its bytes to {@link hold}.
   * @throws {RpcError} -32005 with status 429, or 503 like {@link hold}. Nothing is counted then.
   */
  enter(pieces = 1, held = 0): void {
    const { keyRequests } = this.#config;
    if (this.#requests >= keyRequests) throw limitExceeded(`${keyRequests} requests of this key in progress`);
    this.hold(held);
    try {
      this.take(Math.max(1, pieces));
    } catch (error) {
      this.release(held);
      throw error;
    }
    this.#requests += 1;
  }

  leave(): void {
    this.#requests -= 1;
  }

  /**
   * Counts a WebSocket; {@link closeSocket} ends it.
   *
   * @throws {RpcError} -32005 with status 429.
   */
  openSocket(): void {
    const { keySockets } = this.#config;
    if (this.#sockets >= keySockets) throw limitExceeded(`${keySockets} WebSockets of this key`);
    this.take(1);
    this.#sockets += 1;
  }

  closeSocket(): void {
    this.#sockets -= 1;
  }

  /**
   * Counts bytes of a large body; {@link release} ends it.
   *
   * @throws {RpcError} -32005 with status 429, or 503 if all keys together hold too much. The bytes are not counted
   * then.
   */
  hold(bytes: number): void {
    const { keyBytes, allBytes } = this.#config;
    if (this.#bytes + bytes > keyBytes)
      throw limitExceeded(`${keyBytes} bytes of large requests of this key in progress`);
    if (this.#all.bytes + bytes > allBytes)
      throw unavailable('too many large requests in progress, try again', undefined);
    this.#bytes += bytes;
    this.#all.bytes += bytes;
  }

  release(bytes: number): void {
    this.#bytes -= bytes;
    this.#all.bytes -= bytes;
  }
}

/**
 * Keeps keys from taking each other's time and memory: what each may use at once. Counts are of this process alone.
 * Only existing keys are counted, so their number is bounded.
 */
export class KeyLimits {
  readonly #config: KeyLimitsConfig;
  readonly #now: () => number;
  readonly #all: Held = { bytes: 0 };
  readonly #uses = new Map<string, KeyUse>();

  /** @param now - A monotonic clock, in milliseconds. */
  constructor(config: KeyLimitsConfig, now: () => number = () => performance.now()) {
    this.#config = config;
    this.#now = now;
  }

  /** @param id - ID of an existing key. */
  of(id: string): KeyUse {
    let use = this.#uses.get(id);
    if (!use) this.#uses.set(id, (use = new KeyUse(this.#config, this.#all, this.#now)));
    return use;
  }
}
