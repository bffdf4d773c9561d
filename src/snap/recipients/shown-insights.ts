import { LINE_HASH_BYTES } from '../../core/decode/open-lines';
import { type Hex } from '../../core/eth/bytes';
import { bytesStruct } from '../../core/schemas/hex';
import { array, type Infer, integer, object, string } from '../../core/schemas/struct';
import { type StateStore } from '../platform/state';
import { same } from '../storage/consented-change';
import { StoredList } from '../storage/stored-list';

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

  /** @param store - A store at the current schema version; see `versionedState`. */
  constructor(store: StateStore) {
    this.#insights = new StoredList(store, 'insights', ShownInsightStruct);
  }

  /**
   * @param subject - What tells the request from others of the account.
   * @param lines - The hashes of what the insight shows.
   * @param at - Seconds since 1970.
   * @throws {StateError} If the state cannot be read or written.
   */
  async add(account: string, subject: string, lines: Hex[], at: number): Promise<void> {
    const shown = { request: requestOf(account, subject), lines, at };
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
   * @returns The hashes of its lines; undefined if there was none lately.
   * @throws {StateError} If the state cannot be read or written.
   */
  async take(account: string, subject: string, now: number): Promise<readonly Hex[] | undefined> {
    let taken: ShownInsight | undefined;
    await this.#insights.change((all) => {
      taken = all.find(({ request }) => request === requestOf(account, subject));
      return taken === undefined ? all : all.filter((one) => one !== taken);
    });
    return taken === undefined || now - taken.at > MAX_AGE ? undefined : taken.lines;
  }
}
