import type { KeyIdentity } from '../../keys';
import { creditsSpent, limitExceeded, unavailable } from '../errors';
import { DAY_MS, LedgerUnavailableError, utcDay, type CreditLedger } from './index';
import { LeasedDebits } from './leased';
import type { Prices } from './prices';

/** The credits taken for one request; can be refunded. */
export type Charge = { account: string; amount: number; day: string };

/** Converts an error of the ledger into the error for the caller. */
const toRpcError = (error: unknown) =>
  error instanceof LedgerUnavailableError
    ? unavailable('the credits ledger cannot be reached, try again', error)
    : error;

/** Charges requests to the daily balance of their key. */
export class Meter {
  readonly prices: Prices;
  readonly #ledger: CreditLedger;
  readonly #debits: LeasedDebits;
  readonly #now: () => number;

  constructor(ledger: CreditLedger, prices: Prices, now: () => number = Date.now) {
    this.#ledger = ledger;
    this.#debits = new LeasedDebits(ledger);
    this.prices = prices;
    this.#now = now;
  }

  /**
   * Takes credits before any work is done for them.
   *
   * @param identity - The key to charge.
   * @param amount - Number of credits.
   * @param taken - Called with the charge, at once if the key has credits to hand.
   * @param refused - Called otherwise, with an RpcError: 402 if the balance is insufficient, 429 if the key has made
   * its requests of the day, 503 if the ledger is unreachable.
   */
  charge(
    identity: KeyIdentity,
    amount: number,
    taken: (charge: Charge) => void,
    refused: (error: unknown) => void,
  ): void {
    const now = this.#now();
    const day = utcDay(now);
    const most = identity.limits?.requestsPerDay;
    if (most === undefined) {
      this.#take(identity, amount, day, taken, refused);
      return;
    }
    this.#debits.add(`${identity.id}:requests`, most, day, {
      amount: 1,
      settled: (admitted) => {
        if (admitted) this.#take(identity, amount, day, taken, refused);
        else
          refused(limitExceeded(`${most} requests per day for this key`, Math.ceil((DAY_MS - (now % DAY_MS)) / 1000)));
      },
      failed: (error) => {
        refused(toRpcError(error));
      },
    });
  }

  #take(
    { id, dailyCredits }: KeyIdentity,
    amount: number,
    day: string,
    taken: (charge: Charge) => void,
    refused: (error: unknown) => void,
  ): void {
    const daily = dailyCredits ?? this.prices.daily;
    this.#debits.add(id, daily, day, {
      amount,
      settled: (admitted) => {
        if (admitted) taken({ account: id, amount, day });
        else refused(creditsSpent(amount, daily));
      },
      failed: (error) => {
        refused(toRpcError(error));
      },
    });
  }

  /** Refunds the charge of a request that the service failed. */
  async refund({ account, amount, day }: Charge): Promise<void> {
    try {
      await this.#ledger.refund(account, amount, day);
    } catch (error) {
      throw toRpcError(error);
    }
  }

  /**
   * @returns What a key has used today, and what it has a day. What processes hold in leases counts as used.
   * @throws {RpcError} 503 if the ledger is unreachable.
   */
  async balance({ id, dailyCredits }: KeyIdentity): Promise<{ day: string; used: number; daily: number }> {
    const day = utcDay(this.#now());
    try {
      return { day, used: await this.#ledger.used(id, day), daily: dailyCredits ?? this.prices.daily };
    } catch (error) {
      throw toRpcError(error);
    }
  }

  /** @throws {RpcError} 503 if the ledger is unreachable, or cannot record a debit. */
  async check(): Promise<void> {
    try {
      await this.#ledger.check(utcDay(this.#now()));
    } catch (error) {
      throw toRpcError(error);
    }
  }

  /** Gives back what was taken from the ledger and not spent. The ledger stays open. */
  close(): Promise<void> {
    return this.#debits.close();
  }
}
