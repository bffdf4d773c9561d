import type { Charge } from './charge';
import { type Held, HeldBytes } from './held';
import { type Place, Queue } from './queue';
import { Share } from './share';
import { TokenBucket } from './token-bucket';
import { Turns, turnsWithPauses } from './turns';

/** What one client may hold and do; what is absent has no limit. */
export type Shares = {
  /** Requests that run at once, and that wait for their turn. */
  readonly requests: number;
  readonly waiting?: number;
  /** Requests of a second in the long run, and at once after a pause. */
  readonly perSecond?: number;
  readonly burst?: number;
  /** Credits of a second in the long run. */
  readonly creditsPerSecond?: number;
  /** Bytes sent and received in a second in the long run. */
  readonly bytesPerSecond?: number;
  /** Connections that a client keeps, such as WebSockets. */
  readonly connections?: number;
  /** Bytes held in memory, of one client and of all. */
  readonly memory?: number;
  readonly allMemory?: number;
  /** Bytes of answers that are being made or read, of one client and of all; and how many may wait for room. */
  readonly answers?: number;
  readonly allAnswers?: number;
  readonly waitingAnswers?: number;
};

/** What a client has no share of left. */
export type Exceeded =
  | 'requests'
  | 'perSecond'
  | 'creditsPerSecond'
  | 'bytesPerSecond'
  | 'connections'
  | 'memory'
  | 'allMemory';

/** Rates of a client's own, below those that all have. */
export type OwnRates = {
  readonly requestsPerSecond?: number | undefined;
  readonly creditsPerSecond?: number | undefined;
};

/**
 * Makes the error of a service for a share that is exceeded.
 *
 * @param seconds - After how many it may be tried again.
 */
export type Refusal = (exceeded: Exceeded, shares: Shares, seconds: number) => Error;

/** Seconds of its rate that a client may send and receive at once. */
const BURST_SECONDS = 10;

/** Seconds of its rate that a client may owe for credits which nobody asks it about: those of notifications. */
const DEBT_SECONDS = 10;

/** Blocks of one client that are read at once: twice what Node reads from disks at once. */
const READS_AT_ONCE = 8;

/** Short pieces of work that begin in one turn of the event loop: a fraction of a millisecond together. */
const SHORT_AT_ONCE = 8;

/** How long one request may keep others waiting, in milliseconds. */
const SLICE_MS = 2;

/** Bytes whose decoding takes about that long. */
const LARGE_STEP = 64 << 10;

/**
 * Who may hold and do what in one service: each client, a key or an address without one, has shares. A request enters,
 * is charged as it goes, yields when its turn is over, and leaves. Counts are of this process alone.
 */
export class Admission {
  readonly shares: Shares;
  readonly refuse: Refusal;
  /** In which requests go on that take long. */
  readonly turns: Turns;
  readonly shortTurns = new Turns(SHORT_AT_ONCE);
  readonly memory: Share;
  readonly held: HeldBytes;
  readonly now: () => number;
  readonly #clients = new Map<string, Client>();

  /** @param now - A monotonic clock, in milliseconds. */
  constructor(
    shares: Shares,
    refuse: Refusal,
    { turns = turnsWithPauses(), now = () => performance.now() }: { turns?: Turns; now?: () => number } = {},
  ) {
    this.shares = shares;
    this.refuse = refuse;
    this.turns = turns;
    this.now = now;
    this.memory = new Share(shares.allMemory, () => refuse('allMemory', shares, 1));
    this.held = new HeldBytes(shares.answers, shares.allAnswers, shares.waitingAnswers);
  }

  /** @param id - Of an existing key, or an address: see {@link clientAt}. */
  client(id: string): Client {
    let client = this.#clients.get(id);
    if (client === undefined) this.#clients.set(id, (client = new Client(this, id)));
    return client;
  }

  /** Addresses are without number, so those that have left are forgotten; rates are kept, of existing keys only. */
  forget(client: Client): void {
    const { perSecond = Infinity, bytesPerSecond = Infinity } = this.shares;
    if (perSecond === Infinity && bytesPerSecond === Infinity && !client.hasOwnRates) this.#clients.delete(client.id);
  }
}

type Own = { readonly rates: OwnRates; readonly requests: TokenBucket; readonly credits: TokenBucket };

/** What one client holds and does now. */
export class Client {
  readonly id: string;
  readonly admission: Admission;
  readonly memory: Share;
  readonly reads = new Queue(READS_AT_ONCE, Infinity);
  /** The one message that may arrive whole although memory is used up, so that it can be refused by an answer. */
  overdraft: object | undefined;
  readonly #requests: Queue;
  readonly #rate: TokenBucket;
  readonly #bytes: TokenBucket;
  readonly #pool;
  #connections = 0;
  #own: Own | undefined;

  constructor(admission: Admission, id: string) {
    const { shares, refuse, now } = admission;
    this.id = id;
    this.admission = admission;
    this.memory = new Share(shares.memory, () => refuse('memory', shares, 1), admission.memory);
    this.#requests = new Queue(shares.requests, shares.waiting ?? 0);
    this.#rate = new TokenBucket(shares.perSecond, shares.burst, now);
    this.#bytes = new TokenBucket(shares.bytesPerSecond, BURST_SECONDS * (shares.bytesPerSecond ?? Infinity), now);
    this.#pool = admission.held.pool();
  }

  /**
   * Begins a request; {@link Entry.leave} ends it.
   *
   * @param count - Its pieces, as far as they are known.
   * @throws The refusal of `requests`, `perSecond` or `bytesPerSecond`; nothing is counted then.
   */
  enter(count = 1): Entry {
    const { shares, refuse } = this.admission;
    const place = this.#requests.enter();
    if (place === undefined) throw refuse('requests', shares, 1);
    try {
      const seconds = this.#bytes.take(0);
      if (seconds > 0) throw refuse('bytesPerSecond', shares, seconds);
      this.count(count);
    } catch (error) {
      place.leave();
      throw error;
    }
    return new Entry(this, place);
  }

  /**
   * Counts requests against the rate.
   *
   * @param count - How many; a batch counts as its items.
   * @throws The refusal of `perSecond`; nothing is counted then.
   */
  count(count: number): void {
    const seconds = this.#rate.take(count);
    if (seconds > 0) throw this.admission.refuse('perSecond', this.admission.shares, seconds);
  }

  get hasOwnRates(): boolean {
    return this.#own !== undefined;
  }

  /**
   * Counts requests and credits against the rates of the client's own, if it has any. They may change at any time.
   *
   * @param requests - How many; none for what is spent without being asked for, of which some may be owed.
   * @throws The refusal of `perSecond` or `creditsPerSecond`.
   */
  spend(rates: OwnRates | undefined, requests: number, credits: number): void {
    const { requestsPerSecond, creditsPerSecond } = rates ?? {};
    if (rates === undefined || (requestsPerSecond === undefined && creditsPerSecond === undefined)) {
      this.#own = undefined;
      return;
    }
    const { refuse, shares, now } = this.admission;
    const known = this.#own?.rates;
    if (known?.requestsPerSecond !== requestsPerSecond || known?.creditsPerSecond !== creditsPerSecond) {
      const bucket = (rate: number | undefined) => new TokenBucket(rate, rate, now);
      this.#own = { rates, requests: bucket(requestsPerSecond), credits: bucket(creditsPerSecond) };
    }
    const { requests: perSecond, credits: perCredit } = this.#own as Own;
    const early = requests > 0 ? perSecond.take(requests) : 0;
    if (early > 0) throw refuse('perSecond', { ...shares, perSecond: requestsPerSecond as number }, early);
    const debt = requests > 0 ? 0 : DEBT_SECONDS * (creditsPerSecond ?? 0);
    const seconds = perCredit.take(credits, debt);
    if (seconds > 0)
      throw refuse('creditsPerSecond', { ...shares, creditsPerSecond: creditsPerSecond as number }, seconds);
  }

  /** Counts bytes that were received or sent: they delay the next request. */
  moved(bytes: number): void {
    this.#bytes.charge(bytes);
  }

  /**
   * Counts a connection that is kept, and the request for it.
   *
   * @returns Ends it.
   * @throws The refusal of `connections` or `perSecond`.
   */
  connect(): () => void {
    const { shares, refuse } = this.admission;
    if (this.#connections >= (shares.connections ?? Infinity)) throw refuse('connections', shares, 1);
    this.count(1);
    this.#connections += 1;
    return () => {
      this.#connections -= 1;
      this.settle();
    };
  }

  /** Begins an answer: what it takes until the client has read it. */
  answer(): Held {
    return this.admission.held.begin(this.#pool);
  }

  /** Lets others have their turn. */
  next(): Promise<void> {
    return this.admission.turns.next(this.id);
  }

  /** Waits to begin a short piece of work, of which a client may have sent many at once. */
  begin(): Promise<void> {
    return this.admission.shortTurns.next(this.id);
  }

  /** To be called when something has ended. */
  settle(): void {
    if (this.#connections === 0 && this.#requests.isIdle && this.memory.held === 0 && this.#pool.isEmpty)
      this.admission.forget(this);
  }
}

/** A request that has entered. */
export class Entry implements Charge {
  readonly client: Client;
  readonly #place: Place;
  #memory: Share | undefined;
  #answer: Held | undefined;
  #began = performance.now();

  constructor(client: Client, place: Place) {
    this.client = client;
    this.#place = place;
  }

  /** Resolves once the request may run: to false if it has left before. Undefined if it may run now. */
  get ready(): Promise<boolean> | undefined {
    return this.#place.ready;
  }

  /** What the request holds in memory. */
  get memory(): Share {
    return (this.#memory ??= this.client.memory.within());
  }

  /** What its answer takes until it is read; given back when it leaves. */
  get answer(): Held {
    return (this.#answer ??= this.client.answer());
  }

  /** In each turn of the event loop, one slice of one request runs, so that whatever else has arrived is answered. */
  yield(bytes = 0): Promise<void> | undefined {
    if (bytes < LARGE_STEP && performance.now() - this.#began < SLICE_MS) return undefined;
    return this.client.next().then(() => {
      this.#began = performance.now();
    });
  }

  reading(): Place | undefined {
    return this.client.reads.enter();
  }

  /** Nothing more is done for it, so what it held in memory is given back; its answer may still be read. */
  done(): void {
    this.#memory?.release();
    this.client.settle();
  }

  /** Its answer was read, or nobody will read it. What is being done for it still holds memory, until {@link done}. */
  leave(): void {
    this.#answer?.leave();
    this.#place.leave();
    this.client.settle();
  }
}
