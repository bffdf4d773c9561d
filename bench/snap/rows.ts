import { type Plan } from './alternate';
import { FLOOR, oneCallFloorOf, OURS } from './names';
import { LIST, type SnapRequest } from './requests';

/** Requests that take a second or more are repeated less often than those of a millisecond. */
const isBig = (method: string): boolean => method.includes('1,000');

/** The requests of one method, by snap. */
type BySnap = Readonly<Record<string, SnapRequest>>;

/** One row of a table of latency: what each snap is asked, and how often. */
type Row = { readonly method: string; readonly requests: BySnap; readonly plan: Plan };

/** How often everything is measured, and the order. */
type Extent = { readonly rounds: number; readonly seed: number };

/** @returns The requests of one method by snap, including its two floors, which get the same requests. */
function withFloors(method: string, requests: BySnap): BySnap {
  const [any] = Object.values(requests);
  const sent = requests[OURS] ?? any;
  return sent === undefined ? {} : { [FLOOR]: sent, [oneCallFloorOf(method)]: sent, ...requests };
}

/** @returns The signatures, back to back. */
export const signatureRows = (byMethod: Readonly<Record<string, BySnap>>, { rounds, seed }: Extent): Row[] =>
  Object.entries(byMethod).map(([method, requests]) => ({
    method,
    requests: withFloors(method, requests),
    plan: isBig(method) ? { rounds: Math.ceil(rounds / 3), batch: 1, seed } : { rounds, batch: 5, seed },
  }));

/**
 * @param creations - What makes each snap create one more account. They come last, because the state grows with each.
 * @returns Listing the accounts, and creating one.
 */
export function accountRows(creations: BySnap, { rounds, seed }: Extent): Row[] {
  const lists = Object.fromEntries(Object.keys(creations).map((name) => [name, LIST]));
  const rows = [
    ['keyring_listAccounts', lists, { rounds, batch: 5, seed }],
    ['keyring_createAccount, own key', creations, { rounds: Math.ceil(rounds / 2), batch: 1, seed }],
  ] as const;
  return rows.map(([method, requests, plan]) => ({ method, requests: withFloors(method, requests), plan }));
}
