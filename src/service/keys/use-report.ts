import type { Kind, Row, State } from './use';

/** What the ledger says of a key today. */
export type Balance = { readonly day: string; readonly used: number; readonly daily: number };

/** A day of a key. */
export type DayOfKey = {
  day: string;
  requests: number;
  credits: number;
  refused: number;
  receivedBytes: number;
  sentBytes: number;
};

/** What a key has used: what its owner sees, and the operator. */
export type UseReport = {
  day: string;
  credits: { used: number; daily: number; left: number };
  lastSeen: string | null;
  /** Null if they were not counted: no pin was made or removed since. */
  pins: { count: number; bytes: number } | null;
  /** Requests and credits of today, by method or storage command. */
  methods: Record<string, { requests: number; credits: number }>;
  /** Refusals of today, by reason. */
  refused: Record<string, number>;
  /** The newest first; a day without use is absent. */
  days: DayOfKey[];
};

const sum = (rows: readonly Row[], kind: Kind, name?: string): number =>
  rows
    .filter((row) => row.kind === kind && (name === undefined || row.name === name))
    .reduce((total, { amount }) => total + amount, 0);

const namesOf = (rows: readonly Row[], ...kinds: readonly Kind[]): string[] =>
  [...new Set(rows.filter(({ kind }) => kinds.includes(kind)).map(({ name }) => name))].sort();

const dayOf = (day: string, rows: readonly Row[]): DayOfKey => ({
  day,
  requests: sum(rows, 'requests'),
  credits: sum(rows, 'credits'),
  refused: sum(rows, 'refused'),
  receivedBytes: sum(rows, 'bytes', 'received'),
  sentBytes: sum(rows, 'bytes', 'sent'),
});

/**
 * Adds up what is stored of a key.
 *
 * @param balance - Of the ledger, which is exact; counts by method may be some seconds late.
 */
export function reportOf({ rows, state }: { rows: readonly Row[]; state: State }, balance: Balance): UseReport {
  const { day, used, daily } = balance;
  const today = rows.filter((row) => row.day === day);
  const days = [...new Set(rows.map((row) => row.day))].sort().reverse();
  return {
    day,
    credits: { used, daily, left: Math.max(0, daily - used) },
    lastSeen: state.lastSeen === undefined ? null : new Date(state.lastSeen).toISOString(),
    pins: state.pins === undefined ? null : { count: state.pins, bytes: state.pinnedBytes ?? 0 },
    methods: Object.fromEntries(
      namesOf(today, 'requests', 'credits').map((name) => [
        name,
        { requests: sum(today, 'requests', name), credits: sum(today, 'credits', name) },
      ]),
    ),
    refused: Object.fromEntries(namesOf(today, 'refused').map((name) => [name, sum(today, 'refused', name)])),
    days: days.map((each) =>
      dayOf(
        each,
        rows.filter((row) => row.day === each),
      ),
    ),
  };
}

/** @returns Why a request was refused, by its HTTP status; undefined if it was answered. */
export function reasonOf(status: number): string | undefined {
  if (status < 400) return undefined;
  if (status === 402) return 'credits';
  if (status === 403) return 'not allowed';
  if (status === 413) return 'too large';
  if (status === 429) return 'limit';
  return status >= 500 ? 'service' : 'malformed';
}
