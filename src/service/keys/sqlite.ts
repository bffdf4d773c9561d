import { onceUnlocked, openSqlite, type SqliteDatabase } from '../runtime/sqlite';
import {
  edited,
  editedOf,
  generateKey,
  identify,
  identityOf,
  isReplacedBy,
  isValid,
  keyId,
  KNOWN_MS,
  KeysUnavailableError,
  lasts,
  recordOf,
  rotated,
  TooManySecretsError,
  type CreatedKey,
  type KeyIdentity,
  type KeyStore,
  type NewKey,
  type OnUnreadable,
  type StoredKey,
} from './index';
import { checked, parsed, readable } from './stored';

const SCHEMA = `CREATE TABLE IF NOT EXISTS keys (
  id TEXT PRIMARY KEY,
  key TEXT NOT NULL,
  secretHash TEXT NOT NULL,
  name TEXT NOT NULL,
  dailyCredits INTEGER,
  createdAt INTEGER NOT NULL,
  revokedAt INTEGER,
  settings TEXT
) STRICT`;

const COLUMNS = 'key, secretHash, name, dailyCredits, createdAt, revokedAt, settings';

/** A database of an earlier build has no settings. */
function addSettings(db: SqliteDatabase): void {
  const lacksSettings = () =>
    db.prepare("SELECT 1 FROM pragma_table_info('keys') WHERE name = 'settings'").get() === undefined;
  // Without a look first, every start would need the lock.
  if (!lacksSettings()) return;
  const add = db.transaction(() => {
    if (lacksSettings()) db.exec('ALTER TABLE keys ADD COLUMN settings TEXT');
  });
  add.immediate();
}

function readRow(row: unknown): StoredKey {
  const { settings, ...rest } = row as { settings: string | null };
  return checked(settings === null ? rest : { ...rest, settings: parsed(settings) }, 'SQLite');
}

/**
 * Keys in one SQLite file, shared by all processes on one machine.
 *
 * @param path - Path of the database file.
 * @returns The key store.
 */
export function openSqliteKeys(path: string): KeyStore {
  const db = openSqlite(path, SCHEMA, addSettings);
  const put = db.prepare(`INSERT OR REPLACE INTO keys (id, ${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`);
  const all = db.prepare(`SELECT id, ${COLUMNS} FROM keys ORDER BY createdAt, id`);
  const one = db.prepare(`SELECT ${COLUMNS} FROM keys WHERE id = ?`);
  const first = db.prepare('SELECT 1 FROM keys LIMIT 1');
  // Changes whenever another connection has changed the file.
  const fileVersion = db.prepare('PRAGMA data_version');

  const query = async <Result>(run: () => Result): Promise<Result> => {
    try {
      return await onceUnlocked(() => {
        // Statements of a closed database would still run.
        if (!db.open) throw new Error('the database is closed');
        return run();
      });
    } catch (error) {
      if (error instanceof TooManySecretsError) throw error;
      throw new KeysUnavailableError('the key database cannot be used', { cause: error });
    }
  };

  const stored = (key: string): StoredKey | undefined => {
    const row = one.get(keyId(key));
    return row === undefined ? undefined : readRow(row);
  };
  const list = (onUnreadable?: OnUnreadable) => {
    const rows = all.all() as { id: string }[];
    return readable(
      rows.map(({ id, ...row }) => [id, row] as const),
      readRow,
      onUnreadable,
    );
  };
  /** Those that a change of another key may concern. One that cannot be read admits nobody. */
  const listReadable = () => list(() => undefined);
  const store = (record: StoredKey) => {
    // What could not be read again would make the key useless.
    const { key, secretHash, name, dailyCredits, createdAt, revokedAt, settings = {} } = checked(record, 'SQLite');
    put.run(keyId(key), key, secretHash, name, dailyCredits, createdAt, revokedAt, JSON.stringify(settings));
  };

  /** Reads and stores keys as one change. */
  const change = async <Result>(run: () => Result): Promise<Result> => {
    const result = await query(() => db.transaction(run).immediate());
    // Only changes by other connections are seen in the version of the file.
    good.clear();
    return result;
  };

  /** Keys verified against version `seen` of the file. Holds existing keys only, so callers cannot fill it. */
  const good = new Map<string, KeyIdentity>();
  let seen: number | undefined;
  /** When the version was read. */
  let looked = -Infinity;

  const forgetIfChanged = () => {
    const { data_version: now } = fileVersion.get() as { data_version: number };
    if (now !== seen) good.clear();
    seen = now;
    looked = performance.now();
  };

  const identityOfKey = (key: string): KeyIdentity | undefined => {
    forgetIfChanged();
    const known = good.get(key);
    if (known) return lasts(known) ? known : undefined;
    const identity = identify(stored(key), undefined);
    if (identity) good.set(key, identity);
    return identity;
  };

  const create = (options: NewKey): CreatedKey => {
    const { secret, stored: made } = generateKey(options);
    store(made);
    return { key: made.key, secret, identity: identityOf(made) };
  };

  return {
    async create(options = {}) {
      return query(() => create(options));
    },
    async createFirst(options) {
      return change(() => (first.get() === undefined ? create(options) : undefined));
    },
    async list(onUnreadable) {
      return (await query(() => list(onUnreadable))).map(recordOf);
    },
    async isEmpty() {
      return (await query(() => first.get())) === undefined;
    },
    async edit(key, changed) {
      return change(() => {
        const named = stored(key);
        if (named === undefined || named.revokedAt !== null) return undefined;
        const { id } = identityOf(named);
        for (const each of listReadable()) if (identityOf(each).id === id) store(editedOf(each, key, changed));
        return recordOf(edited(named, changed));
      });
    },
    async rotate(key, what, until) {
      return change(() => {
        const found = stored(key);
        if (found === undefined || !isValid(found)) return undefined;
        const { secret, stored: made, old } = rotated(found, what, until);
        for (const each of old ? [made, old] : [made]) store(each);
        return { key: made.key, secret, identity: identityOf(made) };
      });
    },
    async revoke(key) {
      return change(() => {
        const found = stored(key);
        if (found === undefined || found.revokedAt !== null) return false;
        for (const each of [
          found,
          ...listReadable().filter((one) => one.revokedAt === null && isReplacedBy(one, found)),
        ])
          store({ ...each, revokedAt: Date.now() });
        return true;
      });
    },
    async verify(key, secret) {
      return query(() => (secret === undefined ? identityOfKey(key) : identify(stored(key), secret)));
    },
    known(key) {
      if (!db.open) return undefined;
      try {
        if (performance.now() - looked >= KNOWN_MS) forgetIfChanged();
      } catch {
        // Locked by another process: who verifies the key waits for it.
        return undefined;
      }
      const identity = good.get(key);
      return identity && lasts(identity) ? identity : undefined;
    },
    async close() {
      db.close();
    },
  };
}
