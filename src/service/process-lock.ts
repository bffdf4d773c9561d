import Database from 'libsql';

import { ConfigError } from './config';
import { errorCode } from './error-code';

/** Another process holds what only one may have. The message names it. */
export class LockedError extends Error {
  override name = 'LockedError';
}

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
    db.pragma(`user_version = ${process.pid}`);
    // Only what is committed can others read. Who comes in between has the lock, and this process has not.
    db.exec('COMMIT; BEGIN IMMEDIATE');
  } catch (error) {
    const isBusy = errorCode(error) === 'SQLITE_BUSY';
    const pid = isBusy ? holderOf(db) : 0;
    db.close();
    if (isBusy) throw new LockedError(inUse(pid > 0 ? `process ${pid}` : 'another process'), { cause: error });
    throw notOpened(path, error);
  }
  return () => {
    db.exec('ROLLBACK');
    db.close();
  };
}

function openLock(path: string): InstanceType<typeof Database> {
  try {
    const db = new Database(path, { timeout: PATIENCE_MS });
    // A lock needs to survive nothing.
    db.pragma('synchronous = OFF');
    return db;
  } catch (error) {
    throw notOpened(path, error);
  }
}

/** Number of the process that had the lock last; 0 if none had. */
const holderOf = (db: InstanceType<typeof Database>): number =>
  (db.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;

const notOpened = (path: string, cause: unknown) =>
  new ConfigError(`${path}: cannot be opened (${errorCode(cause) ?? 'not a database'})`, { cause });
