import { type Held } from '../../admission/held';
import { clientFault } from '../errors';

/** What an entry takes in memory, about; longer ones count as several. */
const ENTRY_BYTES = 300;
/** How many entries are counted as memory together. */
const STEP = 1000;

/** Counts the entries of a listing that is kept in memory, because it is sent as one value. */
export class ListingSize {
  readonly #most: number;
  readonly #answer: Held;
  readonly #what: string;
  #entries = 0;
  #counted = 0;

  /**
   * @param most - How many entries are allowed.
   * @param answer - Of the response.
   * @param what - What they are, for the error.
   */
  constructor(most: number, answer: Held, what: string) {
    this.#most = most;
    this.#answer = answer;
    this.#what = what;
  }

  /**
   * Counts one more entry, once there is room for it.
   *
   * @param texts - Its texts.
   * @throws CommandError (client's fault) if there are too many.
   */
  async add(...texts: readonly string[]): Promise<void> {
    this.#entries += 1 + Math.floor(texts.reduce((sum, { length }) => sum + length, 0) / ENTRY_BYTES);
    if (this.#entries > this.#most)
      throw clientFault(`there are more than the allowed ${this.#most} ${this.#what}; list them with stream=true`);
    if (this.#entries - this.#counted < STEP) return;
    await this.#answer.charge((this.#entries - this.#counted) * ENTRY_BYTES);
    this.#counted = this.#entries;
  }
}
