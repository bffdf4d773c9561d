import { onceUnlocked, openSqlite } from '../../runtime/sqlite';
import { LedgerUnavailableError, type CreditLedger } from './index';

const SCHEMA = `CREATE TABLE IF NOT EXISTS usage (
  account TEXT NOT NULL,
  day TEXT NOT NULL,
  used INTEGER NOT NULL,
  PRIMARY KEY (account, day)
) STRICT, WITHOUT ROWID`;

/*
 * The comparison and the addition are one statement, so that no other process can come between. The first debit of a
 * day inserts the row; all others update it. None counts on a
 * stored count below zero, which would give credits away.
 */
const DEBIT = `UPDATE usage SET used = used + ?3
WHERE account = ?1 AND day = ?2 AND used >= 0 AND used + ?3 <= ?4`;
const FIRST_DEBIT = `INSERT INTO usage (account, day, used) SELECT ?1, ?2, ?3 WHERE ?3 <= ?4
ON CONFLICT (account, day) DO UPDATE SET used = used + ?3 WHERE used >= 0 AND used + ?3 <= ?4`;

/*
 * Keeps the last seven days with usage before the current day, however long ago: the previous day may still get
 * refunds, and a clock that was a few days ahead returns to one of them when corrected.
 */
const FORGET = `DELETE FROM usage WHERE day <
(SELECT MIN(day) FROM (SELECT DISTINCT day FROM usage WHERE day < ?1 ORDER BY day DESC LIMIT 7))`;

/** How long a check waits for another process, in milliseconds: longer than any debit takes. */
const CHECK_MS = 1000;

/**
 * A ledger in one SQLite file, shared by the processes of one machine. A debit is committed before its request is
 * answered, so that killing the process refunds nothing.
 *
 * @param path - Path of the database file.
 * @returns The ledger.
 */
export function openSqliteLedger(path: string): CreditLedger {
  const db = openSqlite(path, SCHEMA);
  const debit = db.prepare(DEBIT);
  const firstDebit = db.prepare(FIRST_DEBIT);
  const refund = db.prepare('UPDATE usage SET used = MAX(0, used - ?) WHERE account = ? AND day = ?');
  const used = db.prepare('SELECT used FROM usage WHERE account = ? AND day = ?');
  const forget = db.prepare(FORGET);
  const usedBy = (account: string, day: string): number => {
    const row = used.get(account, day) as { used: number } | undefined;
    if ((row?.used ?? 0) < 0) throw new Error('the count of credits is below zero');
    return row?.used ?? 0;
  };
  let current = '';

  const query = async <Result>(run: () => Result, patienceMs?: number): Promise<Result> => {
    try {
      return await onceUnlocked(() => {
        // Statements of a closed database would still run.
        if (!db.open) throw new Error('the database is closed');
        return run();
      }, patienceMs);
    } catch (error) {
      throw new LedgerUnavailableError('the credits database cannot be used', { cause: error });
    }
  };

  return {
    async debit(account, amount, limit, day) {
      return query(() => {
        if (day !== current) forget.run(day);
        current = day;
        const took = (statement: typeof debit) => statement.run(account, day, amount, limit).changes === 1;
        if (took(debit) || took(firstDebit)) return true;
        usedBy(account, day);
        return false;
      });
    },
    async refund(account, amount, day) {
      await query(() => refund.run(amount, account, day));
    },
    async used(account, day) {
      return query(() => usedBy(account, day));
    },
    async check(day) {
      // Committed, so that it needs the lock and the disk as a debit does.
      await query(() => firstDebit.run('', day, 0, 0), CHECK_MS);
    },
    async close() {
      db.close();
    },
  };
}
