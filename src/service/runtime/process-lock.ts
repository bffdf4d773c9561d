import Database from 'libsql';

import { ConfigError } from './config';
import { errorCode } from './error-code';

/** Another process holds what only one may have. The message names it. */
export class LockedError extends Error {
  override name = 'LockedError';
}

type Lock = InstanceType<typeof Database>;

/** How long to wait for another process that is just finding out who holds the lock. */
const PATIENCE_MS = 200;

/**
 * Makes this process the only one that works on something, until it gives the lock back or ends, in whatever way.
 *
 * The lock is SQLite's on a database file, and so the operating system's: it goes with the process, even one that is killed,
 * and of several that ask at once one gets it. The file stays; it says who had the lock last.
 *
 * @param path - Of the lock file; made when absent.
 * @param inUse - What to tell whoever comes second, given who has it: `process 4711`.
 * @returns Gives the lock back.
 * @throws {LockedError} If another process has it, or this one already.
 * @throws {ConfigError} If the file cannot be opened.
 */
export function lockForProcess(path: string, inUse: (holder: string) => string): () => void {
  const db = openLock(path);
  try {
    db.exec('BEGIN IMMEDIATE');
    leaveNumber(db);
    db.exec('BEGIN IMMEDIATE');
  } catch (error) {
    const isBusy = errorCode(error) === 'SQLITE_BUSY';
    const pid = isBusy ? holderOf(db) : 0;
    close(db);
    if (isBusy) throw new LockedError(inUse(pid > 0 ? `process ${pid}` : 'another process'), { cause: error });
    throw notOpened(path, error);
  }
  return () => {
    close(db);
  };
}

/** Only what is committed can others read. Who comes in between has the lock, and this process has not. */
function leaveNumber(db: Lock): void {
  try {
    db.pragma(`user_version = ${process.pid}`);
    db.exec('COMMIT');
  } catch {
    // The disk may be full: then nobody learns who has the lock, which holds all the same.
    rollBack(db);
  }
}

function rollBack(db: Lock): void {
  if (db.inTransaction) db.exec('ROLLBACK');
}

/** A file stays open, and locked, as long as a transaction is. */
function close(db: Lock): void {
  rollBack(db);
  db.close();
}

function openLock(path: string): Lock {
  try {
    const db = new Database(path, { timeout: PATIENCE_MS });
    // A lock needs to survive nothing, and no room beside the page that it has.
    db.pragma('synchronous = OFF');
    db.pragma('journal_mode = MEMORY');
    return db;
  } catch (error) {
    throw notOpened(path, error);
  }
}

/** Number of the process that had the lock last; 0 if none had. */
const holderOf = (db: Lock): number =>
  (db.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;

const notOpened = (path: string, cause: unknown) =>
  new ConfigError(`${path}: cannot be opened (${errorCode(cause) ?? 'not a database'})`, { cause });
