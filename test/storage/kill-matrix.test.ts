import { copyFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { SegmentStore } from '../../src/service/storage/blocks/segment-store';
import { JournalPins } from '../../src/service/storage/pins/journal';
import { makeFolder } from '../service/support/folder';
import { someBytes } from './kit/content';
import { rawBlock } from './store.suite';

/*
 * A killed process leaves its files as they are at that moment. The files are therefore copied at every step of an
 * operation, or cut at every byte, and each copy is opened as the next process would open it.
 */

const OPTIONS = { durable: true, segmentBytes: 10_000, cacheBytes: 0 };

async function openStore(directory: string, warnings: string[] = []) {
  return SegmentStore.open(directory, { ...OPTIONS, warn: (message) => warnings.push(message) });
}

describe('killed at every byte of the pin journal', () => {
  const cidOf = (text: string) => rawBlock(Buffer.from(text)).cid;
  const [a, b, c] = [cidOf('a'), cidOf('b'), cidOf('c')];
  const steps: [string, (book: JournalPins) => Promise<void>][] = [
    ['a pin', (book) => book.add('t', a, 'direct', 'first')],
    ['a pin of another tenant', (book) => book.add('u', a, 'recursive')],
    ['direct becomes recursive', (book) => book.add('t', a, 'recursive')],
    ['another name', (book) => book.add('t', a, 'recursive', 'second')],
    ['a move that keeps', (book) => book.move('t', a, b, false)],
    ['a move that releases', (book) => book.move('t', b, c, true)],
    ['a release', (book) => book.remove('t', a, true)],
  ];

  test('no acknowledged change is lost, and others are made completely or not at all', async () => {
    const directory = makeFolder();
    const path = join(directory, 'pins.journal');
    const book = await JournalPins.open(directory, true);
    const show = async (each: JournalPins) =>
      JSON.stringify((await each.all()).map(({ cid, mode, name }) => [cid.toString(), mode, name]).sort());
    const states = [{ bytes: 0, shown: await show(book) }];
    for (const [, step] of steps) {
      await step(book);
      states.push({ bytes: readFileSync(path).length, shown: await show(book) });
    }
    await book.close();
    const total = states.at(-1)?.bytes ?? 0;
    const whole = readFileSync(path);
    const between = new Set<string>();
    for (let length = 0; length <= total; length++) {
      const copy = makeFolder();
      writeFileSync(join(copy, 'pins.journal'), whole.subarray(0, length));
      const again = await JournalPins.open(copy, true);
      const acknowledged = states.findLast(({ bytes }) => bytes <= length)?.shown;
      const shown = await show(again);
      if (shown !== acknowledged) between.add(shown);
      await again.add('v', a, 'recursive');
      expect((await again.list('v')).length).toBe(1);
      await again.close();
    }
    // Only a move has an intermediate state: both pins exist. There is never neither.
    expect([...between]).toHaveLength(1);
    const [both = ''] = between;
    expect(both).toContain(b.toString());
    expect(both).toContain(c.toString());
  });
});

describe('killed at every step of a garbage collection', () => {
  test('live blocks stay intact, and the next collection finishes the interrupted one', async () => {
    const directory = makeFolder();
    const store = await openStore(directory);
    const blocks = Array.from({ length: 60 }, (_, i) => ({ ...rawBlock(someBytes(700)), live: i % 3 === 0 }));
    for (const { cid, bytes } of blocks) await store.put(cid, [bytes]);
    await store.commit();
    const keep = new Set(blocks.filter(({ live }) => live).map(({ cid }) => cid.toString()));
    const live = (key: Uint8Array) =>
      blocks.some(({ cid }) => keep.has(cid.toString()) && Buffer.compare(cid.multihash.bytes, key) === 0);

    const moments: string[] = [];
    let seen = '';
    /** Skips files that threads remove or rename at this moment. Sources of moved blocks are read before targets. */
    const ifThere = <T>(look: () => T): T | undefined => {
      try {
        return look();
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
        return undefined;
      }
    };
    const copyIfChanged = () => {
      const names = readdirSync(directory).sort();
      const now = names.map((name) => `${name} ${ifThere(() => statSync(join(directory, name)).size)}`).join();
      if (now === seen) return;
      seen = now;
      const copy = makeFolder();
      for (const name of names) ifThere(() => copyFileSync(join(directory, name), join(copy, name)));
      moments.push(copy);
    };
    let done = false;
    const watching = (async () => {
      for (; !done; await setImmediate()) copyIfChanged();
    })();
    for await (const key of store.sweep(() => Promise.resolve(live), copyIfChanged)) void key;
    done = true;
    await watching;
    copyIfChanged();
    await store.close();
    // Recorded removals, new segments, moved blocks, deleted files.
    expect(moments.length).toBeGreaterThan(5);

    for (const moment of moments) {
      const again = await openStore(moment);
      for (const { cid, bytes, live: isLive } of blocks) {
        const found = await again.get(cid.multihash.bytes);
        if (isLive) expect(Buffer.compare(found as Uint8Array, bytes)).toBe(0);
        else if (found !== undefined) expect(Buffer.compare(found, bytes)).toBe(0);
      }
      for await (const key of again.sweep(() => Promise.resolve(live))) void key;
      expect((await again.stat()).blocks).toBe(keep.size);
      await again.close();
    }
  });
});
