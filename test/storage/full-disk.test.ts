import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type BlockStore } from '../../src/service/storage/blocks/store';
import { SegmentStore } from '../../src/service/storage/blocks/segment-store';
import { collect, someBytes } from './kit/content';
import { fillDisk, fillDiskAbove } from './kit/full-disk';
import { temporaryDirectory } from './kit/service';
import { rawBlock } from './store.suite';

const SETTINGS = { durable: true, segmentBytes: 20_000, cacheBytes: 0, warn: () => undefined };

afterEach(() => {
  jest.restoreAllMocks();
});

/** Puts blocks of 5,000 bytes one after the other. Five fill a segment. */
async function putBlocks(store: BlockStore, count: number) {
  const blocks = [];
  for (let index = 0; index < count; index++) {
    const block = rawBlock(someBytes(5000));
    await store.put(block.cid, [block.bytes]);
    blocks.push({ ...block, key: block.cid.multihash.bytes });
  }
  await store.commit();
  return blocks;
}

const isOneOf = (live: readonly { key: Uint8Array }[]) => (key: Uint8Array) =>
  live.some((block) => Buffer.compare(block.key, key) === 0);

test('a full disk is collected: whole segments go first, since that takes no space', async () => {
  const directory = join(await temporaryDirectory(), 'blocks');
  const store = await SegmentStore.open(directory, SETTINGS);
  const [live, touched] = [await putBlocks(store, 5), await putBlocks(store, 5)];
  const dead = await putBlocks(store, 12);
  const session = store.begin();
  await session.touch(touched[0]!.key);
  const { storedBytes } = await store.stat();
  await fillDisk(1);
  const removed = await collect(store.sweep(() => Promise.resolve(isOneOf(live))));
  await session.end();
  expect(removed.length).toBe(16);
  expect((await store.stat()).storedBytes).toBeLessThan(storedBytes - 60_000);
  await store.close();

  const again = await SegmentStore.open(directory, SETTINGS);
  for (const { key, bytes } of [...live, touched[0]!]) expect(Buffer.compare((await again.get(key))!, bytes)).toBe(0);
  for (const { key } of [...dead, ...touched.slice(1)]) expect(await again.has(key)).toBe(false);
  await again.close();
});

test('a full disk is collected even if everything is in the active segment, and nothing is needed', async () => {
  const directory = join(await temporaryDirectory(), 'blocks');
  const store = await SegmentStore.open(directory, SETTINGS);
  const dead = await putBlocks(store, 3);
  await fillDisk();
  const removed = await collect(store.sweep(() => Promise.resolve(() => false)));
  expect(removed.map((key) => Buffer.from(key).toString('hex')).sort()).toEqual(
    dead.map(({ key }) => Buffer.from(key).toString('hex')).sort(),
  );
  expect((await store.stat()).storedBytes).toBe(0);
  const files = await readdir(directory);
  // A second collection has nothing to do, and there is still no space for another block.
  expect(await collect(store.sweep(() => Promise.resolve(() => false)))).toEqual([]);
  expect(await readdir(directory)).toEqual(files);
  await expect(putBlocks(store, 1)).rejects.toThrow(/^ENOSPC/u);
  await store.close();

  const again = await SegmentStore.open(directory, SETTINGS);
  for (const { key } of dead) expect(await again.has(key)).toBe(false);
  jest.restoreAllMocks();
  const [later] = await putBlocks(again, 1);
  await again.close();
  const third = await SegmentStore.open(directory, SETTINGS);
  expect(Buffer.compare((await third.get(later!.key))!, later!.bytes)).toBe(0);
  await third.close();
});

test('a block put while that segment is being closed stays, and so does everything next to it', async () => {
  const directory = join(await temporaryDirectory(), 'blocks');
  const store = await SegmentStore.open(directory, SETTINGS);
  const old = await putBlocks(store, 3);
  const { cid, bytes } = rawBlock(someBytes(100_000));
  const session = store.begin();
  await session.touch(cid.multihash.bytes);
  // Too large for a single write, so it is still being written when the collection finds the disk full.
  const putting = store.put(cid, [bytes]);
  await fillDisk();
  const swept = collect(store.sweep(() => Promise.resolve(() => false)));
  await expect(swept).rejects.toThrow(/^the disk is full: /u);
  await putting;
  await store.commit();
  await session.end();
  await store.close();
  jest.restoreAllMocks();
  const again = await SegmentStore.open(directory, SETTINGS);
  expect(Buffer.compare((await again.get(cid.multihash.bytes))!, bytes)).toBe(0);
  for (const block of old) expect(Buffer.compare((await again.get(block.key))!, block.bytes)).toBe(0);
  await again.close();
});

test('with space for the start of a segment but for no block, a collection stops, and reports that the disk is full', async () => {
  const store = await SegmentStore.open(join(await temporaryDirectory(), 'blocks'), SETTINGS);
  const blocks = await putBlocks(store, 10);
  const live = blocks.filter((_, index) => index % 5 === 0);
  const refused = await fillDiskAbove(1000, 50);
  await expect(collect(store.sweep(() => Promise.resolve(isOneOf(live))))).rejects.toThrow(/^the disk is full: /u);
  expect(refused()).toBeLessThan(5);
  jest.restoreAllMocks();
  for (const { key, bytes } of live) expect(Buffer.compare((await store.get(key))!, bytes)).toBe(0);
  await collect(store.sweep(() => Promise.resolve(isOneOf(live))));
  expect((await store.stat()).storedBytes).toBeLessThan(12_000);
  await store.close();
});

test('a full disk on which nothing can be freed is reported, and everything stays as it was', async () => {
  const store = await SegmentStore.open(join(await temporaryDirectory(), 'blocks'), SETTINGS);
  const blocks = await putBlocks(store, 3);
  await fillDisk(1);
  await expect(collect(store.sweep(() => Promise.resolve(isOneOf(blocks.slice(0, 1)))))).rejects.toThrow(
    /^the disk is full: /u,
  );
  for (const { key, bytes } of blocks) expect(Buffer.compare((await store.get(key))!, bytes)).toBe(0);
  // Once there is space for the needed block, the collection succeeds.
  expect((await collect(store.sweep(() => Promise.resolve(isOneOf(blocks.slice(0, 1)))))).length).toBe(2);
  expect((await store.stat()).storedBytes).toBeLessThan(6000);
  expect(Buffer.compare((await store.get(blocks[0]!.key))!, blocks[0]!.bytes)).toBe(0);
  expect((await collect(store.sweep(() => Promise.resolve(() => false)))).length).toBe(1);
  await store.close();
});
