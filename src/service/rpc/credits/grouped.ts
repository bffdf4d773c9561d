import type { CreditLedger } from './index';

type Waiting = { amount: number; resolve: (admitted: boolean) => void; reject: (error: unknown) => void };

/** Debits of one account that arrived in the same turn of the event loop. */
type Group = { account: string; limit: number; day: string; waiting: Waiting[] };

/**
 * Asks a ledger once for all debits of an account that arrive in the same turn of the event loop: under load a commit
 * then costs little a request. As exact as the ledger: if the sum does not fit, each debit is asked on its own, in order.
 *
 * @param ledger - To ask; closed with this one.
 * @returns The ledger.
 */
export function groupDebits(ledger: CreditLedger): CreditLedger {
  let groups = new Map<string, Group>();

  const settle = async ({ account, limit, day, waiting }: Group) => {
    try {
      const sum = waiting.reduce((total, { amount }) => total + amount, 0);
      const all = await ledger.debit(account, sum, limit, day);
      for (const { amount, resolve } of waiting)
        resolve(all || (waiting.length > 1 && (await ledger.debit(account, amount, limit, day))));
    } catch (error) {
      // A promise that is settled already stays as it is.
      for (const { reject } of waiting) reject(error);
    }
  };

  const flush = () => {
    const due = groups;
    groups = new Map();
    for (const group of due.values()) void settle(group);
  };

  return {
    ...ledger,
    debit(account, amount, limit, day) {
      if (groups.size === 0) setImmediate(flush);
      const key = `${account} ${limit} ${day}`;
      const group = groups.get(key) ?? { account, limit, day, waiting: [] };
      groups.set(key, group);
      return new Promise((resolve, reject) => group.waiting.push({ amount, resolve, reject }));
    },
  };
}
