import { chmodSync } from 'node:fs';
import { dirname } from 'node:path';

import Database from 'libsql';

import { ConfigError } from './config';
import { makeDirectory } from './directory';
import { errorCode } from './error-code';

export type SqliteDatabase = InstanceType<typeof Database>;

/**
 * Opens a database that several processes may use at once; creates it if it does not exist.
 *
 * Write-ahead log with `synchronous = NORMAL`: commits survive a crash of the process; a power failure may lose the
 * most recent ones.
 *
 * @param path - Path of the database file. Its folder is created, and only the owner may read it.
 * @param schema - `CREATE ... IF NOT EXISTS` statements.
 * @returns The open database.
 * @throws {ConfigError} If the file cannot be opened or is not a database.
 */
export function openSqlite(path: string, schema: string): SqliteDatabase {
  makeDirectory(dirname(path));
  try {
    return open(path, schema);
  } catch (error) {
    throw new ConfigError(`${path}: cannot be opened (${errorCode(error) ?? 'not a database'})`, { cause: error });
  }
}

function open(path: string, schema: string): SqliteDatabase {
  const db = new Database(path, { timeout: 10_000 });
  chmodSync(path, 0o600);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = NORMAL');
  db.exec(schema);
  return db;
}
