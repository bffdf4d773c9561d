import Database from 'libsql';

import { ConfigError } from './config';
import { errorCode } from './error-code';

/** Another process holds the lock. The message names it. */
export class LockedError extends Error {
  override name = 'LockedError';
}

type Lock = InstanceType<typeof Database>;

/** The time to wait for another process that is checking who holds the lock. */
const PATIENCE_MS = 200;

/**
 * Makes this process the only one that works on a resource, until it releases the lock or ends for any reason.
 *
 * The lock is SQLite's lock on a database file, and thus the operating system's: it is released when the process ends,
 * even if killed, and exactly one of several simultaneous callers gets it. The file remains and records the last
 * holder.
 *
 * @param path - Path of the lock file; created if absent.
 * @param inUse - Makes the error message for a second caller from the holder, such as `process 4711`.
 * @returns Releases the lock.
 * @throws {LockedError} If another process, or this one, already holds it.
 * @throws {ConfigError} If the file cannot be opened.
 */
export function lockForProcess(path: string, inUse: (holder: string) => string): () => void {
  const db = openLock(path);
  try {
    db.exec('BEGIN IMMEDIATE');
    recordPid(db);
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

/**
 * Records this process as the holder. It must commit, because others read only committed data; a process that gets in
 * between holds the lock instead.
 */
function recordPid(db: Lock): void {
  try {
    db.pragma(`user_version = ${process.pid}`);
    db.exec('COMMIT');
  } catch {
    // On a full disk nobody can read who holds the lock, but the lock still works.
    rollBack(db);
  }
}

function rollBack(db: Lock): void {
  if (db.inTransaction) db.exec('ROLLBACK');
}

/** Ends the transaction first: an open one keeps the file open and locked. */
function close(db: Lock): void {
  rollBack(db);
  db.close();
}

function openLock(path: string): Lock {
  try {
    const db = new Database(path, { timeout: PATIENCE_MS });
    // A lock need not survive a crash, and must take no disk space beyond its one page.
    db.pragma('synchronous = OFF');
    db.pragma('journal_mode = MEMORY');
    return db;
  } catch (error) {
    throw notOpened(path, error);
  }
}

/** Process ID of the last holder; 0 if there was none. */
const holderOf = (db: Lock): number =>
  (db.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;

const notOpened = (path: string, cause: unknown) =>
  new ConfigError(`${path}: cannot be opened (${errorCode(cause) ?? 'not a database'})`, { cause });
