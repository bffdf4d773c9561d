import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { ConfigError } from '../../../src/service/runtime/config';
import { LockedError, lockForProcess } from '../../../src/service/runtime/process-lock';
import { bundled } from '../../support/bundled';
import { makeFolder } from '../../support/service/folder';

const inUse = (holder: string) => `in use by ${holder}`;

type LockProcess = { child: ChildProcessWithoutNullStreams; ask: (line: string) => Promise<string> };
const children: ChildProcessWithoutNullStreams[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
});

const lockProgram = bundled('test/support/service/lock-process.ts');

function startProcess(): LockProcess {
  const child = spawn(process.execPath, [lockProgram]);
  children.push(child);
  child.stderr.pipe(process.stderr);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const ask = async (line: string) => {
    child.stdin.write(`${line}\n`);
    return (await lines.next()).value ?? 'ended';
  };
  return { child, ask };
}

test('only one holds the lock; the second, in this process or another, learns who; it is free after release', async () => {
  const path = join(makeFolder(), 'lock.sqlite');
  const unlock = lockForProcess(path, inUse);
  expect(() => lockForProcess(path, inUse)).toThrow(LockedError);
  expect(() => lockForProcess(path, inUse)).toThrow(`in use by process ${process.pid}`);
  const other = startProcess();
  expect(await other.ask(path)).toBe('refused');
  unlock();
  expect(await other.ask(path)).toBe('taken');
  expect(() => lockForProcess(path, inUse)).toThrow(`in use by process ${other.child.pid}`);
  expect(await other.ask('')).toBe('given back');
  lockForProcess(path, inUse)();
});

test('of many concurrent callers exactly one gets the lock, even if the last holder was killed', async () => {
  const folder = makeFolder();
  const asking = Array.from({ length: 6 }, startProcess);
  const everybody = (line: string) => Promise.all(asking.map(({ ask }) => ask(line)));
  for (let round = 0; round < 15; round++) {
    const path = join(folder, `${round}.sqlite`);
    if (round % 2 === 1) {
      const killed = startProcess();
      expect(await killed.ask(path)).toBe('taken');
      killed.child.kill('SIGKILL');
      await once(killed.child, 'exit');
    }
    const answers = await everybody(path);
    expect([...answers].sort()).toEqual([...Array<string>(5).fill('refused'), 'taken']);
    await everybody('');
  }
});

test('a file that is not a lock, or cannot be created, is named', () => {
  const folder = makeFolder();
  const path = join(folder, 'lock.sqlite');
  writeFileSync(path, '4711\n'.repeat(200));
  expect(() => lockForProcess(path, inUse)).toThrow(ConfigError);
  expect(() => lockForProcess(path, inUse)).toThrow(`${path}: cannot be opened (SQLITE_NOTADB)`);
  mkdirSync(join(folder, 'directory'));
  expect(() => lockForProcess(join(folder, 'directory'), inUse)).toThrow(
    /directory: cannot be opened \(not a database\)/,
  );
});
