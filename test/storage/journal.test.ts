import { cpSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import { join } from 'node:path';
import { type CID } from 'multiformats/cid';
import { JournalPins } from '../../src/service/storage/pins/journal';
import { makeFolder } from '../service/support/folder';
import { rawBlock } from './store.suite';

afterEach(() => {
  jest.restoreAllMocks();
});

const NAME = 'pins.journal';
/** Long names make the journal large with few changes. */
const nameOf = (round: number) => `${round} ${'x'.repeat(10_000)}`;
const ROUNDS = 120;
const cids: readonly CID[] = ['a', 'b', 'c'].map((text) => rawBlock(Buffer.from(text)).cid);

/** A journal with mostly obsolete entries, which is rewritten when it is opened. */
async function makeLongBook(): Promise<string> {
  const directory = makeFolder();
  const book = await JournalPins.open(directory, false);
  for (let round = 0; round < ROUNDS; round++) {
    for (const cid of round === 0 ? cids : cids.slice(0, 1)) await book.add('t', cid, 'recursive', nameOf(round));
  }
  await book.remove('t', cids[1]!, true);
  await book.close();
  return directory;
}

const sizeIn = (directory: string) => statSync(join(directory, NAME)).size;

async function expectPins(book: JournalPins): Promise<void> {
  const shown = (await book.all()).map(({ cid, mode, name }) => [cid.toString(), mode, name]);
  expect(shown).toEqual([
    [cids[0]!.toString(), 'recursive', nameOf(ROUNDS - 1)],
    [cids[2]!.toString(), 'recursive', nameOf(0)],
  ]);
}

/** Expects removals to stay in effect once the disk has space again. */
async function expectRemovable(book: JournalPins, directory: string): Promise<void> {
  await book.remove('t', cids[2]!, true);
  await book.close();
  jest.restoreAllMocks();
  const again = await JournalPins.open(directory, true);
  expect((await again.all()).map(({ cid }) => cid.toString())).toEqual([cids[0]!.toString()]);
  await again.close();
}

/** Reports each step on the new file and its name, before the step begins. */
function watchRewrite(before: (step: string) => Promise<void> | void): void {
  const { open, rename } = fs;
  jest.spyOn(fs, 'open').mockImplementation(async (path, flags, mode) => {
    const handle = await open(path, flags, mode);
    const told = <Args extends unknown[]>(step: string, does: (...args: Args) => Promise<void>) => {
      const bound = does.bind(handle);
      return async (...args: Args) => {
        await before(step);
        await bound(...args);
      };
    };
    if (String(path).endsWith(`${NAME}.new`)) {
      handle.writeFile = told('write', handle.writeFile.bind(handle));
      handle.datasync = told('sync', handle.datasync.bind(handle));
      handle.close = told('close', handle.close.bind(handle));
    } else if (flags === 'r') handle.sync = told('sync names', handle.sync.bind(handle));
    return handle;
  });
  jest.spyOn(fs, 'rename').mockImplementation(async (from, to) => {
    await before('rename');
    await rename(from, to);
  });
}

test('a journal with mostly obsolete entries is rewritten, with the same content', async () => {
  const directory = await makeLongBook();
  const steps: string[] = [];
  watchRewrite((step) => void steps.push(step));
  const book = await JournalPins.open(directory, true);
  // The new file is on disk before it replaces the old one, and its name before anything relies on it.
  expect(steps).toEqual(['write', 'sync', 'close', 'rename', 'sync names']);
  await expectPins(book);
  await book.add('t', cids[1]!, 'direct', 'later');
  await book.close();
  expect(sizeIn(directory)).toBeLessThan(25_000);
  const again = await JournalPins.open(directory, true);
  expect((await again.all()).map(({ name }) => name.slice(0, 5))).toEqual(['119 x', '0 xxx', 'later']);
  await again.close();
});

test('killed at any step of a rewrite: no pin is lost, and the next process finishes the rewrite', async () => {
  const directory = await makeLongBook();
  const moments: string[] = [];
  const copy = () => {
    const moment = makeFolder();
    cpSync(directory, moment, { recursive: true });
    moments.push(moment);
  };
  watchRewrite(copy);
  await (await JournalPins.open(directory, true)).close();
  copy();
  jest.restoreAllMocks();
  expect(moments).toHaveLength(6);
  // The new file may have been cut at any byte.
  for (const length of [1, 5000, 20_000]) {
    const moment = makeFolder();
    cpSync(moments[1]!, moment, { recursive: true });
    truncateSync(join(moment, `${NAME}.new`), length);
    moments.push(moment);
  }
  for (const moment of moments) {
    const book = await JournalPins.open(moment, true);
    await expectPins(book);
    await book.close();
    expect([readdirSync(moment), sizeIn(moment) < 25_000]).toEqual([[NAME], true]);
  }
});

test.each(['write', 'sync'])(
  'a full disk at the step "%s": the journal is opened unchanged, and accepts pins',
  async (at) => {
    const directory = await makeLongBook();
    const size = sizeIn(directory);
    watchRewrite((step) => {
      if (step === at) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    });
    const book = await JournalPins.open(directory, true);
    await expectPins(book);
    expect([readdirSync(directory), sizeIn(directory)]).toEqual([[NAME], size]);
    await expectRemovable(book, directory);
  },
);

test('a disk that is full once the new file has its name: later removals stay removed', async () => {
  const directory = await makeLongBook();
  watchRewrite((step) => {
    if (step === 'sync names') throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  });
  const book = await JournalPins.open(directory, true);
  await expectPins(book);
  await expectRemovable(book, directory);
});

test('an intact line after more than one torn line: the journal is damaged, not truncated', async () => {
  const directory = await makeLongBook();
  const path = join(directory, NAME);
  const whole = readFileSync(path);
  const line = whole.subarray(0, whole.indexOf('\n') + 1);
  // A read of a file of this size begins here.
  const at = 2 << 20;
  writeFileSync(path, Buffer.concat([line, Buffer.alloc(at - line.length), line]));
  await expect(JournalPins.open(directory, true)).rejects.toThrow(`is damaged at byte ${line.length}`);
  expect(statSync(path).size).toBe(at + line.length);
});

test.each(['write', 'sync', 'rename', 'sync names'])(
  'a disk that fails at the step "%s": the journal is not opened, and nothing is lost',
  async (at) => {
    const directory = await makeLongBook();
    watchRewrite((step) => {
      if (step === at) throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
    });
    await expect(JournalPins.open(directory, true)).rejects.toThrow('EIO');
    jest.restoreAllMocks();
    const book = await JournalPins.open(directory, true);
    await expectPins(book);
    await book.close();
  },
);

test('a journal larger than a single read is opened, its torn tail truncated', async () => {
  const directory = makeFolder();
  const book = await JournalPins.open(directory, true);
  for (const cid of cids) await book.add('t', cid, 'recursive', nameOf(0));
  await book.close();
  const size = sizeIn(directory);
  truncateSync(join(directory, NAME), 2 ** 31 + size);
  const again = await JournalPins.open(directory, true);
  expect((await again.all()).map(({ cid }) => cid.toString())).toEqual(cids.map((cid) => cid.toString()));
  await again.close();
  expect(sizeIn(directory)).toBe(size);
});
