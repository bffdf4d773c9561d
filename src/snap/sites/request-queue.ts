import { siteName } from '../../core/schemas/origin';
import { type KeysteadError, UserRejectedError } from '../../core/errors';
import { Mutex } from '../../core/mutex';
import { busy, type DialogKind, type InTurn } from '../wallet/dialogs';
import { DialogQueue, type IsSite } from './dialog-queue';
import { SpamBrake } from './spam-brake';

/** The maximum number of requests of one of Keystead's own callers that wait for their turn. */
const MAX_OF_OWN = 8;
/** The maximum waiting time in milliseconds: that for a dialog. */
const MAX_WAIT = 150_000;

/** Makes a request that waits for its turn give up. Absent once it runs. */
type Turn = { giveUp?: ((why: KeysteadError) => void) | undefined };

type Line = { readonly mutex: Mutex; length: number };

/**
 * Decides when requests run that ask the user.
 *
 * Each site has one of them at a time, from the first look at the state to the user's last answer, so that the next one
 * finds what the user has decided; one more waits, and further ones are refused. Dialogs of all callers share a
 * {@link DialogQueue} for each kind.
 */
export class RequestQueue {
  readonly #lines = new Map<string, Line>();
  readonly #waiting = new Map<string, Set<Turn>>();
  readonly #isSite: IsSite;
  readonly #maxWait: number;
  readonly #brake: SpamBrake;
  readonly #dialogs: Readonly<Record<DialogKind, DialogQueue>>;

  /**
   * @param isSite - Whether an origin is a site, which may not take much room. Defaults to all.
   * @param maxWait - The maximum waiting time of a request, in milliseconds.
   * @param now - Returns milliseconds.
   */
  constructor(isSite: IsSite = () => true, maxWait = MAX_WAIT, now: () => number = () => Date.now()) {
    this.#isSite = isSite;
    this.#maxWait = maxWait;
    this.#brake = new SpamBrake(now);
    // A site that waits with a dialog waits with nothing else.
    const onWait = (origin: string): void => {
      if (isSite(origin)) for (const turn of this.#waiting.get(origin) ?? []) turn.giveUp?.(busy());
    };
    this.#dialogs = {
      confirmation: new DialogQueue(isSite, onWait, maxWait),
      alert: new DialogQueue(isSite, undefined, maxWait),
      custom: new DialogQueue(isSite, undefined, maxWait),
    };
  }

  /**
   * Runs a request of an origin in its turn.
   *
   * @param work - Calls its argument once the user has answered everything, so that the next request may begin.
   * @throws {ProviderError} If too many requests are waiting, or this one waited too long. Nothing was shown then.
   * @throws {UserRejectedError} If the user rejects all requests of the site.
   */
  async run<T>(origin: string, work: (leave: () => void) => Promise<T>): Promise<T> {
    this.#assertNotRejected(origin);
    const waiting = this.#waiting.get(origin) ?? new Set<Turn>();
    const most = this.#isSite(origin) ? 1 : MAX_OF_OWN;
    if (waiting.size >= most || this.#dialogs.confirmation.isFull(origin)) throw busy();
    const turn: Turn = {};
    if (this.#lines.has(origin)) this.#waiting.set(origin, waiting.add(turn));
    const begun = (): void => {
      waiting.delete(turn);
      if (waiting.size === 0) this.#waiting.delete(origin);
    };
    try {
      // The turn ends before the work does if it leaves.
      const { working } = await this.runInLine(
        origin,
        async () => {
          begun();
          this.#assertNotRejected(origin);
          let leave: () => void = () => undefined;
          const left = new Promise<void>((resolve) => {
            leave = resolve;
          });
          const running = work(leave);
          await Promise.race([running.catch(() => undefined), left]);
          return { working: running };
        },
        turn,
      );
      return await working;
    } finally {
      begun();
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

  /** @returns How a caller shows dialogs: each kind one at a time, whoever else asks. */
  dialogsOf =
    (origin: string): InTurn =>
    async (kind, show) => {
      const isBraked = kind === 'confirmation' && this.#isSite(origin);
      if (!isBraked) return this.#dialogs[kind].show(origin, () => show());
      this.#assertNotRejected(origin);
      return this.#dialogs[kind].show(origin, async () => {
        this.#assertNotRejected(origin);
        const isOneOfMany = this.#brake.isOneOfMany(origin);
        try {
          return await show(isOneOfMany ? () => this.#rejectAll(origin) : undefined);
        } finally {
          this.#brake.answered();
        }
      });
    };

  #assertNotRejected(origin: string): void {
    if (this.#isSite(origin) && this.#brake.isRejecting(origin)) throw new UserRejectedError();
  }

  #rejectAll(origin: string): void {
    this.#brake.reject(origin);
    const isOfSite = (other: string): boolean => siteName(other) === siteName(origin);
    this.#dialogs.confirmation.refuse(isOfSite, new UserRejectedError());
    for (const [other, turns] of this.#waiting)
      if (isOfSite(other)) for (const turn of turns) turn.giveUp?.(new UserRejectedError());
  }

  /** Rejects work whose turn comes too late, without running it. */
  #inTime<T>(mutex: Mutex, work: () => Promise<T>, turn: Turn): Promise<T> {
    return new Promise((resolve, reject) => {
      let isLate = false;
      const giveUp = (why: KeysteadError): void => {
        isLate = true;
        clearTimeout(timer);
        reject(why);
      };
      const timer = setTimeout(() => {
        giveUp(busy());
      }, this.#maxWait);
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
