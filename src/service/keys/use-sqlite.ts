import { onceUnlocked, openSqlite } from '../runtime/sqlite';
import { DAYS, KINDS, type Row, type State, type UseStore } from './use';

const SCHEMA = `CREATE TABLE IF NOT EXISTS use (
  id TEXT NOT NULL,
  day TEXT NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  amount INTEGER NOT NULL,
  PRIMARY KEY (id, day, kind, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS state (id TEXT PRIMARY KEY, lastSeen INTEGER, pins INTEGER, pinnedBytes INTEGER)
STRICT, WITHOUT ROWID`;

const ADD = `INSERT INTO use (id, day, kind, name, amount) VALUES (?, ?, ?, ?, ?)
ON CONFLICT DO UPDATE SET amount = amount + excluded.amount`;

const SET = `INSERT INTO state (id, lastSeen, pins, pinnedBytes) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET
lastSeen = MAX(COALESCE(lastSeen, excluded.lastSeen), COALESCE(excluded.lastSeen, lastSeen)),
pins = COALESCE(excluded.pins, pins), pinnedBytes = COALESCE(excluded.pinnedBytes, pinnedBytes)`;

const STATE = ['lastSeen', 'pins', 'pinnedBytes'] as const;

/** Days with use, not days of the calendar: a clock that ran ahead removes only as many days as it made. */
const FORGET = `DELETE FROM use WHERE day <
(SELECT MIN(day) FROM (SELECT DISTINCT day FROM use ORDER BY day DESC LIMIT ${DAYS + 1}))`;

/**
 * Keeps use in one SQLite file, which the threads and processes of one machine share.
 *
 * @param path - Path of the database file.
 */
export function openSqliteUse(path: string): UseStore {
  const db = openSqlite(path, SCHEMA);
  const add = db.prepare(ADD);
  const set = db.prepare(SET);
  const forget = db.prepare(FORGET);
  const rowsOf = db.prepare('SELECT day, kind, name, amount FROM use WHERE id = ? ORDER BY day');
  const stateOf = db.prepare('SELECT lastSeen, pins, pinnedBytes FROM state WHERE id = ?');
  let current = '';
  return {
    async add(uses) {
      const store = db.transaction(() => {
        for (const { user, day, counts, state } of uses) {
          for (const kind of KINDS)
            for (const [name, amount] of counts[kind]) add.run(user.id, day, kind, name, amount);
          set.run(user.id, state.lastSeen ?? null, state.pins ?? null, state.pinnedBytes ?? null);
        }
        const [{ day = current } = {}] = uses;
        if (day !== current) forget.run();
        current = day;
      });
      await onceUnlocked(() => {
        store.immediate();
      });
    },
    async read(id) {
      return onceUnlocked(() => {
        const found = (stateOf.get(id) ?? {}) as Record<keyof State, number | null | undefined>;
        const known = STATE.flatMap((name) => (typeof found[name] === 'number' ? [[name, found[name]]] : []));
        return { rows: rowsOf.all(id) as Row[], state: Object.fromEntries(known) as State };
      });
    },
    async close() {
      db.close();
    },
  };
}
