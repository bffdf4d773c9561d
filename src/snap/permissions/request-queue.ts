import { siteName } from '../../core/schemas/origin';
import { ProviderError } from '../../core/errors';
import { Mutex } from '../../core/mutex';

/** The maximum number of requests that wait for or show a dialog, per origin and in total. */
const MAX_OF_ORIGIN = 8;
const MAX_OF_ALL = 40;
/**
 * The maximum waiting time in milliseconds. MetaMask stops a snap whose request takes longer than the manifest allows.
 */
const MAX_WAIT = 60_000;

const busy = (): ProviderError =>
  new ProviderError('too-many-requests', 'Too many requests are waiting for the user. Try again later.');

/** Makes a request that waits for its turn give up. Absent once it runs. */
type Turn = { giveUp?: (() => void) | undefined };

/** A request in the queue, with its origin and the name that all origins of one site share. */
type Queued = Turn & { readonly origin: string; readonly site: string };

type Line = { readonly mutex: Mutex; length: number };

/**
 * Queues requests that ask the user. Each origin has one active request at a time, and the others wait in order. This
 * keeps a dialog and what follows it within one request, whatever else arrives in the meantime.
 *
 * When the queue is full, a request of a site with fewer requests takes the place of one that waits, of the site with
 * the most. So no site keeps another one out, however many origins it has.
 */
export class RequestQueue {
  readonly #lines = new Map<string, Line>();
  readonly #queued = new Set<Queued>();
  readonly #maxWait: number;

  /** @param maxWait - The maximum waiting time of a request, in milliseconds. */
  constructor(maxWait = MAX_WAIT) {
    this.#maxWait = maxWait;
  }

  /**
   * Runs a request of an origin in its turn.
   *
   * @throws {ProviderError} If too many requests are waiting, or this one waited too long. Nothing was shown then.
   */
  async run<T>(origin: string, work: () => Promise<T>): Promise<T> {
    const queued: Queued = { origin, site: siteName(origin) };
    if (this.#count('origin', origin) >= MAX_OF_ORIGIN) throw busy();
    if (this.#queued.size >= MAX_OF_ALL) this.#makeRoom(queued);
    this.#queued.add(queued);
    try {
      return await this.runInLine(origin, work, queued);
    } finally {
      this.#queued.delete(queued);
    }
  }

  /**
   * Runs work after all earlier work of the same line.
   *
   * @throws {ProviderError} If it waited too long, or gave up.
   */
  async runInLine<T>(name: string, work: () => Promise<T>, turn: Turn = {}): Promise<T> {
    const line = this.#lines.get(name) ?? { mutex: new Mutex(), length: 0 };
    this.#lines.set(name, line);
    line.length++;
    try {
      return await this.#inTime(line.mutex, work, turn);
    } finally {
      line.length--;
      if (line.length === 0) this.#lines.delete(name);
    }
  }

  #count(member: 'origin' | 'site', value: string): number {
    return [...this.#queued].filter((queued) => queued[member] === value).length;
  }

  /**
   * Takes the place of the latest waiting request of the site with the most requests, and there of the origin with the
   * most.
   *
   * @throws {ProviderError} If the request is of that site and origin itself.
   */
  #makeRoom({ origin, site }: Queued): void {
    const load = (queued: Pick<Queued, 'origin' | 'site'>): readonly [number, number] => [
      this.#count('site', queued.site),
      this.#count('origin', queued.origin),
    ];
    const [ofSite, ofOrigin] = load({ origin, site });
    const victim = [...this.#queued]
      .filter(({ giveUp }) => giveUp !== undefined)
      .map((queued) => ({ queued, load: load(queued) }))
      .sort((a, b) => a.load[0] - b.load[0] || a.load[1] - b.load[1])
      .at(-1);
    // Without a waiting request, all places are taken by dialogs of different origins: only a new site is let in.
    const isFairer =
      victim === undefined
        ? ofSite === 0
        : ofSite < victim.load[0] || (site === victim.queued.site && ofOrigin + 1 < victim.load[1]);
    if (!isFairer) throw busy();
    if (victim === undefined) return;
    this.#queued.delete(victim.queued);
    victim.queued.giveUp?.();
  }

  /** Rejects work whose turn comes too late, without running it. */
  #inTime<T>(mutex: Mutex, work: () => Promise<T>, turn: Turn): Promise<T> {
    return new Promise((resolve, reject) => {
      let isLate = false;
      const giveUp = (): void => {
        isLate = true;
        reject(busy());
      };
      const timer = setTimeout(giveUp, this.#maxWait);
      turn.giveUp = giveUp;
      const running = mutex.runExclusive(async () => {
        clearTimeout(timer);
        turn.giveUp = undefined;
        if (isLate) throw busy();
        return work();
      });
      running.then(resolve, reject);
    });
  }
}
