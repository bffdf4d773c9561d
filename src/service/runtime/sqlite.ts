import { chmodSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

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
 * Opening waits for other processes that have it locked; later statements do not ({@link onceUnlocked}).
 *
 * @param path - Path of the database file. Its folder is created, and only the owner may read it.
 * @param schema - `CREATE ... IF NOT EXISTS` statements.
 * @param change - Brings a database of an earlier build up to date.
 * @returns The open database.
 * @throws {ConfigError} If the file cannot be opened or is not a database.
 */
export function openSqlite(path: string, schema: string, change?: (db: SqliteDatabase) => void): SqliteDatabase {
  makeDirectory(dirname(path));
  try {
    return open(path, schema, change);
  } catch (error) {
    throw new ConfigError(`${path}: cannot be opened (${errorCode(error) ?? 'not a database'})`, { cause: error });
  }
}

/** The time to wait for another process that has the database locked, in milliseconds. */
const PATIENCE_MS = 10_000;

/** The longest pause between two attempts, in milliseconds. */
const PAUSE_MS = 50;

/**
 * Runs statements once no other process has the database locked. SQLite itself would wait inside the call, and with it
 * everything else that this process does.
 *
 * @param run - The statements.
 * @param patienceMs - How long to wait, ten seconds if absent.
 * @returns What they return.
 * @throws Their error, also if the database stays locked for so long.
 */
export async function onceUnlocked<Result>(run: () => Result, patienceMs = PATIENCE_MS): Promise<Result> {
  const last = performance.now() + patienceMs;
  for (let pause = 1; ; pause = Math.min(2 * pause, PAUSE_MS)) {
    try {
      return run();
    } catch (error) {
      if (errorCode(error)?.startsWith('SQLITE_BUSY') !== true || performance.now() > last) throw error;
    }
    await delay(pause);
  }
}

function open(path: string, schema: string, change?: (db: SqliteDatabase) => void): SqliteDatabase {
  const db = new Database(path, { timeout: PATIENCE_MS });
  try {
    chmodSync(path, 0o600);
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = NORMAL');
    db.exec(schema);
    change?.(db);
    db.pragma('busy_timeout = 0');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
