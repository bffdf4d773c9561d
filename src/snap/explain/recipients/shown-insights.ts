import { LINE_HASH_BYTES } from '../../../core/decode/open-lines';
import { type Hex } from '../../../core/eth/bytes';
import { bytesStruct } from '../../../core/structs/hex';
import { array, type Infer, integer, object, string } from '../../../core/structs/struct';
import { same, type StateStore, StoredList } from '../../wallet/state';

/** An insight that MetaMask was given: for what request, and the hashes of the lines that it showed. */
const ShownInsightStruct = object({
  request: string(),
  lines: array(bytesStruct(LINE_HASH_BYTES)),
  /** Seconds since 1970. */
  at: integer(0),
});
type ShownInsight = Infer<typeof ShownInsightStruct>;

const requestOf = (account: string, subject: string): string => `${account.toLowerCase()}/${subject}`;

const MAX_SHOWN = 10;
/** Seconds. A confirmation that was open for longer may be of an earlier request. */
const MAX_AGE = 1800;
/** Seconds. MetaMask asks for the same insight again while it is open. */
const MIN_PAUSE = 60;

/**
 * The insights that MetaMask was given lately, so that a dialog after its confirmation does not repeat them. MetaMask
 * stops a snap that is idle for 30 seconds, which a person may need to read, so they are stored.
 */
export class ShownInsightRepository {
  readonly #insights: StoredList<ShownInsight>;
  /** The requests whose insight is being computed, so that nothing is shown yet. MetaMask does not stop a snap then. */
  readonly #computing = new Map<string, symbol>();

  /** @param store - A store at the current schema version; see {@link CheckedState}. */
  constructor(store: StateStore) {
    this.#insights = new StoredList(store, 'insights', ShownInsightStruct);
  }

  /**
   * Computes an insight, and keeps what it shows, unless the person has not waited for it. If it cannot be kept, it is
   * not known to have been shown.
   *
   * @param subject - What tells the request from others of the account.
   * @param at - Seconds since 1970.
   * @param linesOf - The hashes of what the insight shows.
   */
  async show<T>(
    account: string,
    subject: string,
    at: number,
    compute: () => Promise<T>,
    linesOf: (computed: T) => Hex[],
  ): Promise<T> {
    const request = requestOf(account, subject);
    const mark = Symbol();
    this.#computing.set(request, mark);
    try {
      const computed = await compute();
      if (this.#computing.get(request) === mark)
        await this.#add({ request, lines: linesOf(computed), at }).catch(() => undefined);
      return computed;
    } catch (error) {
      // MetaMask shows that there is no explanation, whatever it showed of the same request before.
      await this.#takeOut(request).catch(() => undefined);
      throw error;
    } finally {
      if (this.#computing.get(request) === mark) this.#computing.delete(request);
    }
  }

  async #add(shown: ShownInsight): Promise<void> {
    const { lines, at } = shown;
    await this.#insights.change((all) => {
      const before = all.find(({ request }) => request === shown.request);
      if (before !== undefined && at - before.at < MIN_PAUSE && same(before.lines, lines)) return all;
      return [shown, ...all.filter((one) => one !== before)].slice(0, MAX_SHOWN);
    });
  }

  /**
   * Takes an insight out: each stands for one confirmation.
   *
   * @param now - Seconds since 1970.
   * @returns The hashes of its lines; undefined if there was none lately, or it is not complete yet.
   * @throws {StateError} If the state cannot be read or written.
   */
  async take(account: string, subject: string, now: number): Promise<readonly Hex[] | undefined> {
    const request = requestOf(account, subject);
    const isIncomplete = this.#computing.delete(request);
    const taken = await this.#takeOut(request);
    return isIncomplete || taken === undefined || now - taken.at > MAX_AGE ? undefined : taken.lines;
  }

  async #takeOut(request: string): Promise<ShownInsight | undefined> {
    let taken: ShownInsight | undefined;
    await this.#insights.change((all) => {
      taken = all.find((one) => one.request === request);
      return taken === undefined ? all : all.filter((one) => one !== taken);
    });
    return taken;
  }
}
