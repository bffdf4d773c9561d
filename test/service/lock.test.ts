import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { lock, LockedError } from '../../src/service/lock';
import { makeFolder } from './support/folder';

const held = (pid: number) => `process ${pid} has it`;

test('a lock holds others off until it is given back', async () => {
  const folder = makeFolder();
  const path = join(folder, 'lock');
  const unlock = await lock(path, held);
  await expect(lock(path, held)).rejects.toThrow(new LockedError(`process ${process.pid} has it`));
  await unlock();
  await (
    await lock(path, held)
  )();
  expect(readdirSync(folder)).toEqual([]);
});

test.each([
  ['a process that is gone', '4194304.long-ago'],
  ['a process that had the number of this one before', `${process.pid}.long-ago`],
  ['a process that had the number of another one before', `${process.ppid}.long-ago`],
])('the lock of %s is taken over', async (_, rest) => {
  const folder = makeFolder();
  writeFileSync(join(folder, `lock.${rest}`), '');
  const unlock = await lock(join(folder, 'lock'), held);
  expect(readdirSync(folder)).toHaveLength(1);
  await unlock();
});

test('another lock, and what is no lock, are let be', async () => {
  const folder = makeFolder();
  const others = ['lock', 'lock.txt', `other.${process.ppid}.now`];
  for (const name of others) writeFileSync(join(folder, name), '');
  await (
    await lock(join(folder, 'lock'), held)
  )();
  expect(readdirSync(folder).sort()).toEqual(others);
});

test('of many that begin at once, with a lock that was left or without, one gets it', async () => {
  for (let round = 0; round < 100; round++) {
    const folder = makeFolder();
    if (round % 2 === 0) writeFileSync(join(folder, 'lock.4194304.long-ago'), '');
    const taken = await Promise.allSettled(Array.from({ length: 5 }, () => lock(join(folder, 'lock'), held)));
    expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  }
});
