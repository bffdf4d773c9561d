/** Counts the credits that each key has used today, exactly even with concurrent callers in several processes. */
export type CreditLedger = {
  /**
   * Takes `amount` from the balance, or nothing if that would exceed the limit.
   *
   * @param account - ID of the key.
   * @param amount - Credits; a whole number, 0 or more.
   * @param limit - Credits the account may use that day.
   * @param day - `YYYY-MM-DD`, UTC.
   * @returns Whether the amount was taken.
   * @throws {LedgerUnavailableError} If the ledger is unreachable: the caller must refuse the request.
   */
  debit(account: string, amount: number, limit: number, day: string): Promise<boolean>;
  /** Refunds credits that were taken on that day. */
  refund(account: string, amount: number, day: string): Promise<void>;
  /** @returns Credits used on that day. */
  used(account: string, day: string): Promise<number>;
  /**
   * Makes a debit of nothing.
   *
   * @throws {LedgerUnavailableError} If a debit could not be recorded.
   */
  check(day: string): Promise<void>;
  /** @returns Why credits and keys may get lost, a short sentence; undefined if they cannot. */
  mayLose?(): Promise<string | undefined>;
  close(): Promise<void>;
};

/** The ledger is unreachable, so no request may be served. */
export class LedgerUnavailableError extends Error {
  override name = 'LedgerUnavailableError';
}

export const DAY_MS = 86_400_000;
let latest = { number: NaN, text: '' };

/** @returns The UTC day of a moment (milliseconds since the Unix epoch), as `YYYY-MM-DD`. */
export function utcDay(now: number): string {
  const number = Math.floor(now / DAY_MS);
  // Called for every request, but changes only once a day.
  if (number !== latest.number) latest = { number, text: new Date(now).toISOString().slice(0, 10) };
  return latest.text;
}
