import { Share } from '../../../../src/service/admission/share';
import { collect } from '../../../support/storage/content';
import { uncharged } from '../../../../src/service/admission/uncharged';
import fsPromises from 'node:fs/promises';
import { join } from 'node:path';
import { type CID } from 'multiformats/cid';
import { openSqlite } from '../../../../src/service/runtime/sqlite';
import { type Pin } from '../../../../src/service/storage/store/pin-store';
import { SqlitePins } from '../../../../src/service/storage/store/sqlite-pins';
import { makeFolder } from '../../../support/service/folder';
import { rawBlock } from './store.suite';

const cidOf = (text: string): CID => rawBlock(Buffer.from(text)).cid;
const cid = cidOf('pinned');
const show = (pins: readonly Pin[]) => pins.map((pin) => `${pin.mode} ${pin.name}`);

afterEach(() => {
  jest.restoreAllMocks();
});

test('pins are there after reopening, in each state that was acknowledged', async () => {
  const directory = makeFolder();
  let pins = new SqlitePins(directory, true);
  const [b, c] = [cidOf('b'), cidOf('c')];
  const steps: [() => Promise<void>, string[]][] = [
    [() => pins.add('t', cid, 'direct', 'first'), ['direct first']],
    [() => pins.add('t', cid, 'recursive'), ['recursive first']],
    [() => pins.add('t', cid, 'recursive', 'Ünïcode /\n'), ['recursive Ünïcode /\n']],
    [() => pins.move('t', cid, b, false), ['recursive Ünïcode /\n', 'recursive Ünïcode /\n']],
    [() => pins.move('t', b, c, true), ['recursive Ünïcode /\n', 'recursive Ünïcode /\n']],
    [() => pins.move('t', c, c, true), ['recursive Ünïcode /\n', 'recursive Ünïcode /\n']],
    [() => pins.remove('t', cid, true), ['recursive Ünïcode /\n']],
  ];
  for (const [step, expected] of steps) {
    await step();
    await pins.close();
    pins = new SqlitePins(directory, true);
    expect(show(await collect(pins.list(uncharged(), 't')))).toEqual(expected);
  }
  expect((await collect(pins.list(uncharged(), 't')))[0]?.cid.equals(c)).toBe(true);
  await pins.close();
});

test('pins wait for another process that has them locked, and keep nothing else waiting', async () => {
  const directory = makeFolder();
  const pins = new SqlitePins(directory, true);
  const other = openSqlite(join(directory, 'pins.sqlite'), '');
  const [b, c] = [cidOf('b'), cidOf('c')];
  await pins.add('t', b, 'recursive', 'b');
  for (const change of [
    () => pins.add('t', cid, 'recursive', 'a'),
    () => pins.move('t', b, c, true),
    () => pins.remove('t', cid, true),
  ]) {
    other.exec('BEGIN IMMEDIATE');
    let isDone = false;
    const changing = change().then(() => (isDone = true));
    for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate);
    expect([isDone, (await collect(pins.list(uncharged(), 't'))).length > 0]).toEqual([false, true]);
    other.exec('COMMIT');
    await changing;
  }
  expect(show(await collect(pins.list(uncharged(), 't')))).toEqual(['recursive b']);
  other.close();
  await pins.close();
});

test('a tenant sees and changes its own pins only', async () => {
  const pins = new SqlitePins(makeFolder(), true);
  await pins.add('abc', cid, 'recursive', 'a');
  expect([await collect(pins.list(uncharged(), 'ab')), await pins.get('ABC', cid)]).toEqual([[], undefined]);
  await expect(pins.remove('ab', cid, true)).rejects.toThrow('not pinned');
  await expect(pins.move('ab', cid, cidOf('other'), true)).rejects.toThrow('not recursively pinned');
  await expect(pins.add('abc', cid, 'direct')).rejects.toThrow('already pinned recursively');
  await expect(pins.remove('abc', cid, false)).rejects.toThrow('is pinned recursively');
  expect((await collect(pins.list(uncharged()))).map(({ tenant }) => tenant)).toEqual(['abc']);
  await pins.close();
});

test('a change counts only once it is synced, and changes at the same time share a sync', async () => {
  const pins = new SqlitePins(makeFolder(), true);
  const { open } = fsPromises;
  let sync: (outcome: Promise<void>) => void = () => undefined;
  let syncs = 0;
  jest.spyOn(fsPromises, 'open').mockImplementation(async (path, ...rest) => {
    const handle = await open(path, ...rest);
    if (!String(path).endsWith('-wal')) return handle;
    handle.sync = () => {
      syncs++;
      return new Promise<void>((resolve) => (sync = resolve));
    };
    return handle;
  });
  const done: number[] = [];
  const changes = [1, 2, 3].map((n) => pins.add('t', cidOf(String(n)), 'recursive').then(() => done.push(n)));
  while (syncs === 0) await new Promise(setImmediate);
  expect(done).toEqual([]);
  sync(Promise.resolve());
  await Promise.all(changes);
  expect([syncs, done]).toEqual([1, [1, 2, 3]]);

  const failing = pins.add('t', cidOf('4'), 'recursive');
  while (syncs === 1) await new Promise(setImmediate);
  sync(Promise.reject(Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO' })));
  await expect(failing).rejects.toThrow('EIO');
  jest.restoreAllMocks();
  await pins.close();
});

test('many pins are listed page by page, and others have their turn before each', async () => {
  const pins = new SqlitePins(makeFolder(), false);
  const COUNT = 1000;
  for (let i = 0; i < COUNT; i++) await pins.add(`t${i % 2}`, cidOf(String(i)), 'recursive', 'x'.repeat(100));
  for (const tenant of ['t0', undefined]) {
    let turns = 0;
    const memory = new Share(100_000);
    const charge = { ...uncharged(), memory, yield: () => void turns++ };
    const found = new Set<string>();
    for await (const { tenant: owner, cid } of pins.list(charge, tenant)) {
      found.add(`${owner} ${cid.toString()}`);
      expect(memory.held).toBeGreaterThan(0);
      // What was seen may go meanwhile, and come back.
      if (found.size % 100 !== 0) continue;
      await pins.remove(owner, cid, true);
      await pins.add(owner, cid, 'recursive', 'x'.repeat(100));
    }
    expect([found.size, turns, memory.held]).toEqual([tenant === undefined ? COUNT : COUNT / 2, found.size, 0]);
  }
  expect(await pins.count()).toBe(COUNT);
  await pins.close();
});

test('a tenant has so many pins, whatever becomes of others', async () => {
  const pins = new SqlitePins(makeFolder(), false);
  const few = { mostPins: 2 };
  const refusal = 'this key would have more than the allowed 2 pins (keyPins)';
  const [one, two, three] = ['1', '2', '3'].map(cidOf) as [CID, CID, CID];
  await pins.add('t', one, 'direct', '', few);
  await pins.add('t', one, 'recursive', 'again', few);
  await pins.add('t', two, 'recursive', '', few);
  await expect(pins.add('t', three, 'recursive', '', few)).rejects.toThrow(refusal);
  await expect(pins.move('t', one, three, false, few)).rejects.toThrow(refusal);
  await pins.move('t', one, three, true, few);
  await pins.move('t', three, two, false, few);
  await pins.add('u', one, 'recursive', '', few);
  await pins.remove('t', two, true);
  await pins.add('t', one, 'recursive', '', few);
  expect(await pins.count()).toBe(3);
  await pins.close();
});
