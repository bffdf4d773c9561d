import type { CreditLedger } from './index';

/** Callbacks of one debit: one is called, once, after the turn of the event loop in which the debit was requested. */
export type Waiting = {
  amount: number;
  /** Called with whether the amount was taken. */
  settled: (admitted: boolean) => void;
  /** Called if the ledger is unreachable. */
  failed: (error: unknown) => void;
};

/** Debits of one account from the same turn of the event loop. */
type Group = { account: string; limit: number; day: string; waiting: Waiting[] };

/**
 * Combines all debits of an account from the same turn of the event loop into one ledger call. Under load a commit then
 * costs little per request; callbacks rather than a promise per debit keep that cost low. It is as exact as the ledger:
 * if the sum does not fit, each debit is tried on its own, in order.
 */
export class GroupedDebits {
  readonly #ledger: CreditLedger;
  /** By account. */
  #groups = new Map<string, Group>();

  constructor(ledger: CreditLedger) {
    this.#ledger = ledger;
  }

  /**
   * Takes credits, like {@link CreditLedger.debit}.
   *
   * @param account - ID of the key.
   * @param limit - Credits the account may use that day.
   * @param day - `YYYY-MM-DD`, UTC.
   * @param waiting - The amount and the callbacks.
   */
  add(account: string, limit: number, day: string, waiting: Waiting): void {
    if (this.#groups.size === 0) setImmediate(this.#flush);
    const group = this.#groups.get(account);
    if (group?.limit === limit && group.day === day) {
      group.waiting.push(waiting);
      return;
    }
    // The day or the limit changed within this turn.
    if (group) void this.#settle(group);
    this.#groups.set(account, { limit, account, day, waiting: [waiting] });
  }

  readonly #flush = () => {
    const due = this.#groups;
    this.#groups = new Map();
    for (const group of due.values()) void this.#settle(group);
  };

  async #settle({ account, limit, day, waiting }: Group): Promise<void> {
    let settledCount = 0;
    try {
      const sum = waiting.reduce((total, { amount }) => total + amount, 0);
      const all = await this.#ledger.debit(account, sum, limit, day);
      for (const { amount, settled } of waiting) {
        const admitted = all || (waiting.length > 1 && (await this.#ledger.debit(account, amount, limit, day)));
        settledCount += 1;
        settled(admitted);
      }
    } catch (error) {
      for (const { failed } of waiting.slice(settledCount)) failed(error);
    }
  }
}
