import { siteName } from '../../core/schemas/origin';
import { type KeysteadError } from '../../core/errors';
import { busy } from '../wallet/dialogs';

/** The maximum number of dialogs that wait: of a site, of one of Keystead's own callers, and of all pages of a site. */
const MAX_OF_SITE = 1;
const MAX_OF_OWN = 8;
const MAX_OF_NAME = 8;
/**
 * The maximum waiting time in milliseconds. It ends before `keystead/provider` gives up (180 s), which could not say
 * why. It costs none of the time that MetaMask gives a request, which stands still while any dialog is open.
 */
const MAX_WAIT = 150_000;
/** The number of sites of which the queue remembers when it last showed a dialog of theirs. */
const REMEMBERED = 100;

type Waiting = { readonly origin: string; readonly start: () => void; readonly giveUp: (why: KeysteadError) => void };

/** @returns Whether an origin is a site, and not MetaMask or Keystead itself. */
export type IsSite = (origin: string) => boolean;

/**
 * Shows one dialog at a time: MetaMask refuses a second one of a type while the first is open. It is held while a
 * dialog is open and not a moment longer, so neither a preview nor a broadcast of one site delays another.
 *
 * Next comes the site whose last dialog is longest ago, however many origins it has and however often it asks. A site
 * waits with one dialog at a time, and further ones are refused.
 */
export class DialogQueue {
  readonly #isSite: IsSite;
  readonly #maxWait: number;
  readonly #onWait: (origin: string) => void;
  #isOpen = false;
  #waiting: readonly Waiting[] = [];
  /** Sites and origins, the one with the most recent dialog last. */
  #shown: readonly string[] = [];

  /**
   * @param onWait - Called when a dialog of an origin begins to wait.
   * @param maxWait - The maximum waiting time, in milliseconds.
   */
  constructor(isSite: IsSite, onWait: (origin: string) => void = () => undefined, maxWait = MAX_WAIT) {
    this.#isSite = isSite;
    this.#onWait = onWait;
    this.#maxWait = maxWait;
  }

  /** @returns Whether no further request of an origin may wait. */
  isFull(origin: string): boolean {
    const count = (same: (other: string) => boolean): number => this.#waiting.filter((one) => same(one.origin)).length;
    const most = this.#isSite(origin) ? MAX_OF_SITE : MAX_OF_OWN;
    if (count((other) => other === origin) >= most) return true;
    return count((other) => siteName(other) === siteName(origin)) >= MAX_OF_NAME;
  }

  /**
   * Shows a dialog once no other one is open.
   *
   * @throws {ProviderError} If too many are waiting, or this one waited too long. Nothing was shown then.
   */
  async show<T>(origin: string, dialog: () => Promise<T>): Promise<T> {
    if (this.#isOpen) await this.#turn(origin);
    this.#isOpen = true;
    this.#remember(origin);
    try {
      return await dialog();
    } finally {
      this.#isOpen = false;
      this.#startNext();
    }
  }

  /** Refuses what waits of these origins. */
  refuse(isOne: (origin: string) => boolean, why: KeysteadError): void {
    for (const waiting of this.#waiting.filter(({ origin }) => isOne(origin))) waiting.giveUp(why);
  }

  #turn(origin: string): Promise<void> {
    if (this.isFull(origin)) throw busy();
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        this.#waiting = this.#waiting.filter((one) => one !== waiting);
      };
      const waiting: Waiting = {
        origin,
        start: () => {
          leave();
          resolve();
        },
        giveUp: (why) => {
          leave();
          reject(why);
        },
      };
      const timer = setTimeout(() => {
        waiting.giveUp(busy());
      }, this.#maxWait);
      this.#waiting = [...this.#waiting, waiting];
      this.#onWait(origin);
    });
  }

  #startNext(): void {
    const lastShown = (one: Waiting): readonly [number, number] => [
      this.#shown.lastIndexOf(siteName(one.origin)),
      this.#shown.lastIndexOf(one.origin),
    ];
    const [next] = this.#waiting
      .map((waiting) => ({ waiting, order: lastShown(waiting) }))
      .sort((a, b) => a.order[0] - b.order[0] || a.order[1] - b.order[1]);
    if (next === undefined) return;
    // Nothing may come between.
    this.#isOpen = true;
    next.waiting.start();
  }

  #remember(origin: string): void {
    const names = new Set([siteName(origin), origin]);
    this.#shown = [...this.#shown.filter((name) => !names.has(name)), ...names].slice(-2 * REMEMBERED);
  }
}
