import type { KeyIdentity } from '../../keys';
import { creditsSpent, unavailable } from '../errors';
import { LedgerUnavailableError, utcDay, type CreditLedger } from './index';
import type { Prices } from './prices';

/** What was taken for one request; can be given back. */
export type Charge = { account: string; amount: number; day: string };

/** Charges requests to the daily balance of the key they came with. */
export class Meter {
  readonly prices: Prices;
  readonly #ledger: CreditLedger;
  readonly #now: () => number;

  constructor(ledger: CreditLedger, prices: Prices, now: () => number = Date.now) {
    this.#ledger = ledger;
    this.prices = prices;
    this.#now = now;
  }

  /**
   * Takes credits, before any work is done for them.
   *
   * @param identity - Whose.
   * @param amount - How many.
   * @returns What was taken.
   * @throws {RpcError} 402 if the balance does not suffice, 503 if the ledger cannot be asked.
   */
  async charge({ id, dailyCredits }: KeyIdentity, amount: number): Promise<Charge> {
    const day = utcDay(this.#now());
    if (!(await this.#asked(this.#ledger.debit(id, amount, dailyCredits ?? this.prices.daily, day))))
      throw creditsSpent();
    return { account: id, amount, day };
  }

  /** Gives back what was taken for a request that the service failed. */
  async refund({ account, amount, day }: Charge): Promise<void> {
    await this.#asked(this.#ledger.refund(account, amount, day));
  }

  /** @throws {RpcError} 503 if the ledger cannot be asked. */
  async check(): Promise<void> {
    await this.#asked(this.#ledger.used('', utcDay(this.#now())));
  }

  async #asked<Result>(question: Promise<Result>): Promise<Result> {
    try {
      return await question;
    } catch (error) {
      if (error instanceof LedgerUnavailableError)
        throw unavailable('the credits ledger cannot be reached, try again', error);
      throw error;
    }
  }
}
