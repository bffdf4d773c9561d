import fs, { copyFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SegmentStore } from '../../src/service/storage/blocks/segment-store';
import { type Multihash } from '../../src/service/storage/blocks/store';
import { makeFolder } from '../service/support/folder';
import { collect, someBytes } from './kit/content';
import { fillDisk } from './kit/full-disk';
import { onWrites } from './kit/writes';
import { rawBlock } from './store.suite';

const OPTIONS = { durable: true, segmentBytes: 100_000, cacheBytes: 0, warn: () => undefined };
const FIRST = ['00000001.car', '00000001.index'];

type Block = ReturnType<typeof rawBlock>;

const keyOf = ({ cid }: Block): Multihash => cid.multihash.bytes;
const openStore = (directory: string) => SegmentStore.open(directory, OPTIONS);
const liveOnly = (blocks: readonly Block[]) => {
  const live = new Set(blocks.map((block) => Buffer.from(keyOf(block)).toString('hex')));
  return () => Promise.resolve((key: Multihash) => live.has(Buffer.from(key).toString('hex')));
};

async function filled(count: number) {
  const directory = makeFolder();
  const store = await openStore(directory);
  const blocks = Array.from({ length: count }, () => rawBlock(someBytes(3000)));
  for (const { cid, bytes } of blocks) await store.put(cid, [bytes]);
  await store.commit();
  return { directory, store, blocks };
}

/** A copy of the files as a process killed at this moment leaves them. */
function killed(directory: string): string {
  const left = makeFolder();
  cpSync(directory, left, { recursive: true });
  return left;
}

/** Expects these blocks in the next process and in the one after it. */
async function expectBlocks(directory: string, there: readonly Block[], gone: readonly Block[]): Promise<void> {
  for (let start = 0; start < 2; start++) {
    const store = await openStore(directory);
    for (const block of there) expect(Buffer.compare((await store.get(keyOf(block)))!, block.bytes)).toBe(0);
    for (const block of gone) expect(await store.has(keyOf(block))).toBe(false);
    await store.close();
  }
}

/** A store whose process was killed after it moved the blocks of the first segment, before it removed the segment. */
async function killedBeforeRemoval() {
  const { directory, store, blocks } = await filled(10);
  const [dead, live] = [blocks.slice(0, 4), blocks.slice(4)];
  await store.close();
  const saved = killed(directory);
  const again = await openStore(directory);
  for await (const key of again.sweep(liveOnly(live))) void key;
  await again.close();
  for (const name of FIRST) copyFileSync(join(saved, name), join(directory, name));
  return { directory, dead, live };
}

describe('killed after blocks were moved and before their old segment was removed', () => {
  test('a block deleted afterwards stays deleted', async () => {
    const { directory, dead, live } = await killedBeforeRemoval();
    const store = await openStore(directory);
    expect(await store.delete(keyOf(live[0]!))).toBe(true);
    await store.close();
    await expectBlocks(directory, live.slice(1), [...dead, live[0]!]);
  });

  test('blocks collected afterwards stay collected, wherever the collection is killed', async () => {
    const { directory, dead, live } = await killedBeforeRemoval();
    const store = await openStore(directory);
    const [kept, collected] = [live.slice(0, 2), live.slice(2)];
    const moments: string[] = [];
    for await (const key of store.sweep(liveOnly(kept), () => moments.push(killed(directory)))) {
      void key;
      moments.push(killed(directory));
    }
    await store.close();
    // The removals of a few blocks are recorded together, before the first of them is reported.
    const last = moments.slice(-collected.length - 1);
    expect(last.length).toBeGreaterThan(1);
    for (const moment of last) await expectBlocks(moment, kept, [...dead, ...collected]);
    await expectBlocks(directory, kept, [...dead, ...collected]);
  });

  test('a block that is deleted and put again stays', async () => {
    const { directory, live } = await killedBeforeRemoval();
    const store = await openStore(directory);
    await store.delete(keyOf(live[0]!));
    await store.put(live[0]!.cid, [live[0]!.bytes]);
    await store.commit();
    await store.close();
    await expectBlocks(directory, live, []);
  });
});

test('a block deleted while a collection copies it stays deleted, even if the disk is full afterwards', async () => {
  const { directory, store, blocks } = await filled(10);
  const [dead, live] = [blocks.slice(0, 4), blocks.slice(4)];
  const victim = live[0]!;
  let deleted: Promise<boolean> | undefined;
  let written = 0;
  await onWrites((bytes, write) => {
    // The copy is about to be written. Of the removals that are written down from here on, the first finds room.
    if (bytes.indexOf(victim.bytes) >= 0) deleted ??= store.delete(keyOf(victim));
    const isRemoval = /^[0-9a-f]{8} \[/.test(bytes.toString('latin1', 0, 10));
    if (deleted !== undefined && isRemoval && ++written > 1) throw new Error('ENOSPC: no space left on device');
    return write();
  });
  const swept = collect(store.sweep(liveOnly(live)));
  await swept.catch(() => undefined);
  expect(await deleted).toBe(true);
  const left = killed(directory);
  jest.restoreAllMocks();
  await store.close();
  await expectBlocks(left, live.slice(1), [...dead, victim]);
});

test('a block that was damaged, put again and then deleted does not return, even when its later segment is gone', async () => {
  const { directory, store, blocks } = await filled(40);
  const victim = blocks[0]!;
  const segment = join(directory, FIRST[0]!);
  const bytes = readFileSync(segment);
  bytes[bytes.indexOf(victim.bytes) + 100]! ^= 1;
  writeFileSync(segment, bytes);
  await expect(store.get(keyOf(victim))).rejects.toThrow(/is damaged/);
  await store.put(victim.cid, [victim.bytes]);
  await store.commit();
  await store.delete(keyOf(victim));
  const live = blocks.slice(1, 30);
  await expectBlocks(killed(directory), live, [victim]);
  for await (const key of store.sweep(liveOnly(blocks.slice(1, 33)))) void key;
  await store.close();
  await expectBlocks(directory, live, [victim]);
});

describe('a removal that the disk rejects', () => {
  test('leaves a single block in place', async () => {
    const { directory, store, blocks } = await filled(3);
    await fillDisk(1);
    await expect(store.delete(keyOf(blocks[0]!))).rejects.toThrow(/ENOSPC/);
    expect(Buffer.compare((await store.get(keyOf(blocks[0]!)))!, blocks[0]!.bytes)).toBe(0);
    expect(await store.stat()).toMatchObject({ blocks: 3, blockBytes: 9000 });
    await store.close();
    await expectBlocks(directory, blocks, []);
  });

  test('leaves all blocks of a collection in place', async () => {
    const { directory, store, blocks } = await filled(20);
    await fillDisk(1);
    await expect(collect(store.sweep(liveOnly(blocks.slice(0, 1))))).rejects.toThrow(/disk is full/);
    for (const block of blocks) expect(Buffer.compare((await store.get(keyOf(block)))!, block.bytes)).toBe(0);
    expect(await store.stat()).toMatchObject({ blocks: 20, blockBytes: 60_000 });
    await store.close();
    await expectBlocks(directory, blocks, []);
  });
});

test('a segment whose file cannot be deleted is deleted by the next collection', async () => {
  const { directory, store, blocks } = await filled(10);
  const live = blocks.slice(5);
  jest.spyOn(fs.promises, 'unlink').mockImplementationOnce(() => Promise.reject(new Error('EIO: i/o error')));
  await expect(collect(store.sweep(liveOnly(live)))).rejects.toThrow(/EIO/);
  expect(await store.delete(keyOf(live[0]!))).toBe(true);
  for await (const key of store.sweep(liveOnly(live.slice(4)))) void key;
  expect(fs.readdirSync(directory)).not.toContain(FIRST[0]);
  await store.close();
  await expectBlocks(directory, live.slice(4), live.slice(0, 4));
});
