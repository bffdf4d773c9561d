import { openSqlite } from '../runtime/sqlite';
import {
  generateKey,
  identify,
  identityOf,
  keyId,
  KeysUnavailableError,
  recordOf,
  type KeyIdentity,
  type KeyStore,
  type StoredKey,
} from './index';

const SCHEMA = `CREATE TABLE IF NOT EXISTS keys (
  id TEXT PRIMARY KEY,
  key TEXT NOT NULL,
  secretHash TEXT NOT NULL,
  name TEXT NOT NULL,
  dailyCredits INTEGER,
  createdAt INTEGER NOT NULL,
  revokedAt INTEGER
) STRICT`;

const COLUMNS = 'key, secretHash, name, dailyCredits, createdAt, revokedAt';

/**
 * Keys in one SQLite file, shared by every process of one machine.
 *
 * @param path - Of the database file.
 * @returns The key store.
 */
export function openSqliteKeys(path: string): KeyStore {
  const db = openSqlite(path, SCHEMA);
  const insert = db.prepare(`INSERT INTO keys (id, ${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)`);
  const all = db.prepare(`SELECT ${COLUMNS} FROM keys ORDER BY createdAt, id`);
  const one = db.prepare(`SELECT ${COLUMNS} FROM keys WHERE id = ?`);
  // Another number whenever another connection has changed the file.
  const fileVersion = db.prepare('PRAGMA data_version');
  const revoke = db.prepare('UPDATE keys SET revokedAt = ? WHERE id = ? AND revokedAt IS NULL RETURNING id');

  const asked = <Result>(question: () => Result): Result => {
    try {
      // Statements of a closed database would still run.
      if (!db.open) throw new Error('the database is closed');
      return question();
    } catch (error) {
      throw new KeysUnavailableError('the key database cannot be used', { cause: error });
    }
  };

  /** Keys that were found to be good in `seen`, the present version of the file. Only keys that exist get in here. */
  const good = new Map<string, KeyIdentity>();
  let seen: number | undefined;

  const identityOfKey = (key: string): KeyIdentity | undefined => {
    const { data_version: now } = fileVersion.get() as { data_version: number };
    if (now !== seen) good.clear();
    seen = now;
    const known = good.get(key);
    if (known) return known;
    const identity = identify(one.get(keyId(key)) as StoredKey | undefined, undefined);
    if (identity) good.set(key, identity);
    return identity;
  };

  return {
    async create(options = {}) {
      const { secret, stored } = generateKey(options);
      const { key, secretHash, name, dailyCredits, createdAt, revokedAt } = stored;
      asked(() => insert.run(keyId(key), key, secretHash, name, dailyCredits, createdAt, revokedAt));
      return { key, secret, identity: identityOf(stored) };
    },
    async list() {
      return asked(() => all.all() as StoredKey[]).map(recordOf);
    },
    async revoke(key) {
      good.delete(key);
      return asked(() => revoke.get(Date.now(), keyId(key))) !== undefined;
    },
    async verify(key, secret) {
      return asked(() =>
        secret === undefined ? identityOfKey(key) : identify(one.get(keyId(key)) as StoredKey | undefined, secret),
      );
    },
    async close() {
      db.close();
    },
  };
}
