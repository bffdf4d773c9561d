import { onceUnlocked, openSqlite } from '../runtime/sqlite';
import {
  generateKey,
  identify,
  identityOf,
  keyId,
  KNOWN_MS,
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
 * Keys in one SQLite file, shared by all processes on one machine.
 *
 * @param path - Path of the database file.
 * @returns The key store.
 */
export function openSqliteKeys(path: string): KeyStore {
  const db = openSqlite(path, SCHEMA);
  const insert = db.prepare(`INSERT INTO keys (id, ${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)`);
  const all = db.prepare(`SELECT ${COLUMNS} FROM keys ORDER BY createdAt, id`);
  const one = db.prepare(`SELECT ${COLUMNS} FROM keys WHERE id = ?`);
  // Changes whenever another connection has changed the file.
  const fileVersion = db.prepare('PRAGMA data_version');
  const revoke = db.prepare('UPDATE keys SET revokedAt = ? WHERE id = ? AND revokedAt IS NULL RETURNING id');

  const query = async <Result>(run: () => Result): Promise<Result> => {
    try {
      return await onceUnlocked(() => {
        // Statements of a closed database would still run.
        if (!db.open) throw new Error('the database is closed');
        return run();
      });
    } catch (error) {
      throw new KeysUnavailableError('the key database cannot be used', { cause: error });
    }
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
    if (known) return known;
    const identity = identify(one.get(keyId(key)) as StoredKey | undefined, undefined);
    if (identity) good.set(key, identity);
    return identity;
  };

  return {
    async create(options = {}) {
      const { secret, stored } = generateKey(options);
      const { key, secretHash, name, dailyCredits, createdAt, revokedAt } = stored;
      await query(() => insert.run(keyId(key), key, secretHash, name, dailyCredits, createdAt, revokedAt));
      return { key, secret, identity: identityOf(stored) };
    },
    async list() {
      return (await query(() => all.all() as StoredKey[])).map(recordOf);
    },
    async revoke(key) {
      good.delete(key);
      return (await query(() => revoke.get(Date.now(), keyId(key)))) !== undefined;
    },
    async verify(key, secret) {
      return query(() =>
        secret === undefined ? identityOfKey(key) : identify(one.get(keyId(key)) as StoredKey | undefined, secret),
      );
    },
    known(key) {
      if (!db.open) return undefined;
      try {
        if (performance.now() - looked >= KNOWN_MS) forgetIfChanged();
      } catch {
        // Locked by another process: who verifies the key waits for it.
        return undefined;
      }
      return good.get(key);
    },
    async close() {
      db.close();
    },
  };
}
