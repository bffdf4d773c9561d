import { join } from 'node:path';

import { onceUnlocked, openSqlite, type SqliteDatabase } from '../../../src/service/runtime/sqlite';
import { makeFolder } from '../../support/service/folder';

test('a power failure loses at most the last moments, and readers do not wait for writers', () => {
  const db = openSqlite(join(makeFolder(), 'a.sqlite'), 'CREATE TABLE t (a INTEGER) STRICT');
  const setting = (name: string) => Object.values(db.prepare(`PRAGMA ${name}`).get() as object)[0] as unknown;
  // 1 is NORMAL. With 0, OFF, a loss of power could cost the whole database.
  expect([setting('journal_mode'), setting('synchronous')]).toEqual(['wal', 1]);
  db.close();
});

test('a database that is locked keeps nothing else waiting, and is used once it is free', async () => {
  const path = join(makeFolder(), 'a.sqlite');
  const [db, other] = [openSqlite(path, 'CREATE TABLE t (a INTEGER) STRICT'), openSqlite(path, '')];
  other.exec('BEGIN IMMEDIATE');
  const inserted = onceUnlocked(() => db.exec('INSERT INTO t VALUES (1)'));
  // Turns of the event loop go on meanwhile.
  for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate);
  await expect(onceUnlocked(() => db.exec('INSERT INTO t VALUES (2)'), 0)).rejects.toThrow(/locked/u);
  other.exec('COMMIT');
  await inserted;
  expect(db.prepare('SELECT a FROM t').all()).toEqual([{ a: 1 }]);
  db.close();
  other.close();
});

test('what brings a database up to date waits for others that have it locked', () => {
  const path = join(makeFolder(), 'a.sqlite');
  const patience = (db: SqliteDatabase) => (db.prepare('PRAGMA busy_timeout').get() as { timeout: number }).timeout;
  let during: unknown;
  const db = openSqlite(path, '', (opened) => (during = patience(opened)));
  expect([during, patience(db)]).toEqual([10_000, 0]);
  db.close();
});

test('a database that cannot be brought up to date is named', () => {
  const path = join(makeFolder(), 'a.sqlite');
  expect(() => openSqlite(path, '', (db) => db.exec('ALTER TABLE none ADD COLUMN a'))).toThrow(
    `${path}: cannot be opened (SQLITE_ERROR)`,
  );
});
