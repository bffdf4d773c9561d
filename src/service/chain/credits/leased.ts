import type { CreditLedger } from './index';

/** Callbacks of one debit: one is called, once, at once or later. */
export type Waiting = {
  amount: number;
  /** Called with whether the amount was taken. */
  settled: (admitted: boolean) => void;
  /** Called if the ledger is unreachable. */
  failed: (error: unknown) => void;
};

/** The most credits of a key that a process holds besides what it has spent. */
export const MAX_LEASE = 30_000;

/** A lease is at most this part of the key's daily credits. */
const LEAST_LEASES = 400;

/** So many times the lease must be left in the ledger, so that no lease is outstanding when the credits run out. */
const RESERVE = 100;

/** A lease is for keys that need the ledger again within so many milliseconds. */
const BUSY_MS = 50;

/** A lease that is not used for so long is given back, in milliseconds; after twice as long at the latest. */
const REST_MS = 50;

/** What a process holds of one key's credits of one day. */
type Account = {
  readonly id: string;
  readonly limit: number;
  readonly day: string;
  /** Taken from the ledger, and not spent yet. */
  left: number;
  /** The size of the next lease; 0 for none. */
  size: number;
  /** No lease may be larger, because the ledger had too little left for such a one. */
  most: number;
  /** When the ledger was asked last. */
  asked: number;
  /** Whether anything was spent since the last look for rest. */
  isUsed: boolean;
  /** Whether a debit with a lease is in progress. There is one lease at a time. */
  isLeasing: boolean;
  /** What is being given back. */
  returning: Promise<void> | undefined;
  /** Debits that wait for the ledger, from the same turn of the event loop. */
  waiting: Waiting[];
};

/**
 * Takes credits from the ledger. A key that makes many requests gets a lease: a small block of its balance is taken
 * from the ledger with one debit, and spent in memory. What is left of it goes back once the key rests, and on
 * {@link close}. A lease counts as used while it is held, so that no more is ever spent than was bought. If the process
 * is killed, what was left of the lease stays used: at most {@link MAX_LEASE} credits of each key, and 1/400 of its
 * daily credits.
 *
 * All other debits of one turn of the event loop are one ledger call. It is as exact as the ledger: if the sum does not
 * fit, each debit is tried on its own, in order.
 */
export class LeasedDebits {
  readonly #ledger: CreditLedger;
  readonly #accounts = new Map<string, Account>();
  #due = new Set<Account>();
  /** Debits and refunds in progress. */
  readonly #running = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(ledger: CreditLedger) {
    this.#ledger = ledger;
  }

  /**
   * Takes credits, like {@link CreditLedger.debit}.
   *
   * @param id - ID of the key.
   * @param limit - Credits the account may use that day.
   * @param day - `YYYY-MM-DD`, UTC.
   * @param waiting - The amount and the callbacks.
   */
  add(id: string, limit: number, day: string, waiting: Waiting): void {
    const account = this.#accountOf(id, limit, day);
    if (account.waiting.length === 0 && account.left > 0 && waiting.amount <= account.left) {
      account.left -= waiting.amount;
      account.isUsed = true;
      waiting.settled(true);
      return;
    }
    if (this.#due.size === 0) setImmediate(this.#flush);
    this.#due.add(account);
    account.waiting.push(waiting);
  }

  /** Gives all leases back. Debits that are made afterwards get none. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#flush();
    while (this.#running.size > 0) await Promise.all(this.#running);
    for (const account of this.#accounts.values()) this.#giveBack(account);
    await Promise.all(this.#running);
  }

  #accountOf(id: string, limit: number, day: string): Account {
    const known = this.#accounts.get(id);
    if (known?.limit === limit && known.day === day) return known;
    // The day or the limit has changed.
    if (known !== undefined) this.#giveBack(known);
    const fresh = { size: 0, most: Math.min(MAX_LEASE, Math.floor(limit / LEAST_LEASES)), asked: -Infinity };
    const flags = { isUsed: false, isLeasing: false, returning: undefined };
    const account: Account = { id, limit, day, left: 0, ...fresh, ...flags, waiting: [] };
    this.#accounts.set(id, account);
    return account;
  }

  readonly #flush = () => {
    const due = this.#due;
    this.#due = new Set();
    for (const account of due) this.#run(this.#settle(account, account.waiting.splice(0)));
  };

  #run(work: Promise<void>): void {
    this.#running.add(work);
    void work.finally(() => this.#running.delete(work));
  }

  /** The size of the lease for debits of this sum; 0 if the key is not busy, or has too little left. */
  #leaseFor(account: Account, sum: number): number {
    const now = performance.now();
    const isBusy = now - account.asked < BUSY_MS;
    account.asked = now;
    account.size = isBusy ? Math.min(Math.max(2 * account.size, 4 * sum), account.most) : 0;
    const isWorthIt = account.size >= 2 * sum && sum > 0;
    return isWorthIt && !account.isLeasing && !this.#isClosed ? account.size : 0;
  }

  async #settle(account: Account, waiting: readonly Waiting[]): Promise<void> {
    let settledCount = 0;
    const settle = (each: Waiting, admitted: boolean) => {
      settledCount += 1;
      each.settled(admitted);
    };
    if (account.returning !== undefined) await account.returning;
    let held = account.left;
    account.left = 0;
    try {
      const sum = waiting.reduce((total, { amount }) => total + amount, 0);
      const taken = await this.#take(account, sum - held, sum);
      if (taken !== undefined) {
        held += taken - sum;
        for (const each of waiting) settle(each, true);
      } else
        for (const each of waiting) {
          const lacking = each.amount - held;
          const admitted = lacking <= 0 || (waiting.length > 1 && (await this.#debit(account, lacking)));
          if (admitted) held = Math.max(0, -lacking);
          settle(each, admitted);
        }
    } catch (error) {
      for (const { failed } of waiting.slice(settledCount)) failed(error);
    } finally {
      this.#hold(account, held);
    }
  }

  /**
   * Takes what is lacking, with a lease if the key is busy.
   *
   * @returns How much was taken; undefined if the balance is too small.
   */
  async #take(account: Account, lacking: number, sum: number): Promise<number | undefined> {
    // A debit of nothing also needs the ledger, unless the key has credits to hand.
    if (lacking < 0 || (lacking === 0 && sum > 0)) return 0;
    const lease = this.#leaseFor(account, sum);
    if (lease > 0) {
      account.isLeasing = true;
      try {
        if (await this.#debit(account, lacking + lease, account.limit - RESERVE * lease)) return lacking + lease;
      } finally {
        account.isLeasing = false;
      }
      account.most = Math.floor(lease / 4);
    }
    return (await this.#debit(account, lacking)) ? lacking : undefined;
  }

  #debit({ id, limit, day }: Account, amount: number, most = limit): Promise<boolean> {
    return this.#ledger.debit(id, amount, most, day);
  }

  #hold(account: Account, credits: number): void {
    if (credits <= 0) return;
    account.left += credits;
    account.isUsed = true;
    if (this.#accounts.get(account.id) !== account || this.#isClosed) this.#giveBack(account);
    else this.#timer ??= setTimeout(this.#lookForRest, REST_MS).unref();
  }

  readonly #lookForRest = () => {
    this.#timer = undefined;
    let isHeld = false;
    for (const account of this.#accounts.values()) {
      if (account.left === 0) continue;
      isHeld = true;
      if (!account.isUsed) this.#giveBack(account);
      account.isUsed = false;
    }
    if (isHeld) this.#timer = setTimeout(this.#lookForRest, REST_MS).unref();
  };

  #giveBack(account: Account): void {
    const { id, day, left } = account;
    if (left === 0) return;
    account.left = 0;
    const returning = this.#ledger
      .refund(id, left, day)
      .catch(() => {
        // A ledger that did not answer may have taken them back all the same: they stay used, so that none is spent
        // twice.
      })
      .finally(() => (account.returning = undefined));
    account.returning = returning;
    this.#run(returning);
  }
}
