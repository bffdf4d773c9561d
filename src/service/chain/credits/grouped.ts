import type { CreditLedger } from './index';

/** Told of one debit: once, and not before the turn of the event loop in which it was asked for is over. */
export type Waiting = {
  amount: number;
  /** Whether the amount was taken. */
  settled: (admitted: boolean) => void;
  /** The ledger could not be asked. */
  failed: (error: unknown) => void;
};

/** Debits of one account that arrived in the same turn of the event loop. */
type Group = { account: string; limit: number; day: string; waiting: Waiting[] };

/**
 * Asks a ledger once for all debits of an account that arrive in the same turn of the event loop: under load a commit
 * then costs little a request, and so does hearing of it, which is why there is no promise for each. As exact as the
 * ledger: if the sum does not fit, each debit is asked on its own, in order.
 */
export class GroupedDebits {
  readonly #ledger: CreditLedger;
  /** By account. */
  #groups = new Map<string, Group>();

  constructor(ledger: CreditLedger) {
    this.#ledger = ledger;
  }

  /**
   * Takes credits, as {@link CreditLedger.debit}.
   *
   * @param account - Id of the key.
   * @param limit - Credits the account may use that day.
   * @param day - `YYYY-MM-DD`, UTC.
   * @param waiting - How many, and who is told.
   */
  add(account: string, limit: number, day: string, waiting: Waiting): void {
    if (this.#groups.size === 0) setImmediate(this.#flush);
    const group = this.#groups.get(account);
    if (group?.limit === limit && group.day === day) {
      group.waiting.push(waiting);
      return;
    }
    // A day that begins, or credits that change, in the middle of a turn.
    if (group) void this.#settle(group);
    this.#groups.set(account, { limit, account, day, waiting: [waiting] });
  }

  readonly #flush = () => {
    const due = this.#groups;
    this.#groups = new Map();
    for (const group of due.values()) void this.#settle(group);
  };

  async #settle({ account, limit, day, waiting }: Group): Promise<void> {
    let told = 0;
    try {
      const sum = waiting.reduce((total, { amount }) => total + amount, 0);
      const all = await this.#ledger.debit(account, sum, limit, day);
      for (const { amount, settled } of waiting) {
        const admitted = all || (waiting.length > 1 && (await this.#ledger.debit(account, amount, limit, day)));
        told += 1;
        settled(admitted);
      }
    } catch (error) {
      for (const { failed } of waiting.slice(told)) failed(error);
    }
  }
}
