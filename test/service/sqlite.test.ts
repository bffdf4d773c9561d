import { join } from 'node:path';

import { openSqlite } from '../../src/service/runtime/sqlite';
import { makeFolder } from './support/folder';

test('a power failure loses at most the last moments, and readers do not wait for writers', () => {
  const db = openSqlite(join(makeFolder(), 'a.sqlite'), 'CREATE TABLE t (a INTEGER) STRICT');
  const setting = (name: string) => Object.values(db.prepare(`PRAGMA ${name}`).get() as object)[0] as unknown;
  // 1 is NORMAL. With 0, OFF, a loss of power could cost the whole database.
  expect([setting('journal_mode'), setting('synchronous')]).toEqual(['wal', 1]);
  db.close();
});
