import { type CID } from 'multiformats/cid';
import { type Pin } from '../../src/service/storage/pins/pin-store';
import { JournalPins } from '../../src/service/storage/pins/journal';
import { makeFolder } from '../service/support/folder';
import { fillDisk } from './kit/full-disk';
import { rawBlock } from './store.suite';

const cidOf = (text: string): CID => rawBlock(Buffer.from(text)).cid;
const cid = cidOf('pinned');
const show = (pins: readonly Pin[]) => pins.map((pin) => `${pin.mode} ${pin.name}`);

/** Expects these pins now, and in the next process. */
async function expectEverywhere(book: JournalPins, directory: string, expected: readonly string[]): Promise<void> {
  expect(show(await book.all())).toEqual(expected);
  await book.close();
  const again = await JournalPins.open(directory, true);
  expect(show(await again.all())).toEqual(expected);
  await again.close();
}

describe('changes of one pin that the disk writes only partly', () => {
  test('if neither is written, nothing has changed', async () => {
    const directory = makeFolder();
    const book = await JournalPins.open(directory, true);
    await fillDisk(2);
    const changes = [book.add('t', cid, 'recursive', 'first'), book.add('t', cid, 'recursive', 'second')];
    for (const change of changes) await expect(change).rejects.toThrow(/ENOSPC/);
    await expectEverywhere(book, directory, []);
  });

  test.each([0, 1, 2, 3, 4, 5, 10])('if the second, which came %i steps later, is written, it stays', async (steps) => {
    const directory = makeFolder();
    const book = await JournalPins.open(directory, true);
    await fillDisk(1);
    const first = book.add('t', cid, 'direct', 'first');
    const failure = expect(first).rejects.toThrow(/ENOSPC/);
    for (let step = 0; step < steps; step++) await Promise.resolve();
    const second = book.add('t', cid, 'recursive', 'second').then(
      () => true,
      () => false,
    );
    await failure;
    await expectEverywhere(book, directory, (await second) ? ['recursive second'] : []);
  });

  test('a release after a new name', async () => {
    const directory = makeFolder();
    const book = await JournalPins.open(directory, true);
    await book.add('t', cid, 'recursive', 'first');
    await fillDisk(2);
    const changes = [book.add('t', cid, 'recursive', 'second'), book.remove('t', cid, true)];
    for (const change of changes) await expect(change).rejects.toThrow(/ENOSPC/);
    await expectEverywhere(book, directory, ['recursive first']);
  });

  test('a move there and one back', async () => {
    const directory = makeFolder();
    const book = await JournalPins.open(directory, true);
    const other = cidOf('other');
    await book.add('t', cid, 'recursive', 'first');
    await fillDisk(1);
    await expect(book.move('t', cid, other, true)).rejects.toThrow(/ENOSPC/);
    const moves = [book.move('t', cid, other, true), book.move('t', other, cid, true)];
    await Promise.all(moves);
    await expectEverywhere(book, directory, ['recursive first']);
  });
});

test('other requests run while many pins are listed, and the list is a snapshot', async () => {
  const book = await JournalPins.open(makeFolder(), false);
  const COUNT = 5000;
  await Promise.all(Array.from({ length: COUNT }, (_, i) => book.add(`t${i % 2}`, cidOf(String(i)), 'recursive')));
  for (const list of [
    () => book.list('t0').then((pins) => 2 * pins.length),
    () => book.all().then((pins) => pins.length),
  ]) {
    let turns = 0;
    const count = () => {
      turns++;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    const listed = list();
    const removed = book.remove('t0', cidOf('0'), true);
    expect(await listed).toBe(COUNT);
    clearImmediate(next);
    expect(turns).toBeGreaterThan(5);
    await removed;
    await book.add('t0', cidOf('0'), 'recursive');
  }
  await book.close();
});

test('a pin whose release is not yet recorded is kept by a collection, since the disk may fail', async () => {
  const directory = makeFolder();
  const book = await JournalPins.open(directory, true);
  await book.add('t', cid, 'recursive');
  await fillDisk(1);
  const release = book.remove('t', cid, true);
  const seen = await book.all();
  await expect(release).rejects.toThrow(/ENOSPC/);
  expect(show(seen)).toEqual(['recursive ']);
  await expectEverywhere(book, directory, ['recursive ']);
});

test('a pin that another request has just made is not acknowledged before it is recorded', async () => {
  const book = await JournalPins.open(makeFolder(), true);
  await fillDisk(2);
  const twice = [book.add('t', cid, 'recursive', 'same'), book.add('t', cid, 'recursive', 'same')];
  for (const pin of twice) await expect(pin).rejects.toThrow(/ENOSPC/);
  expect(await book.all()).toEqual([]);
  await book.close();
});
