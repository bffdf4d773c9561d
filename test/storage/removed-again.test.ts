import { SegmentStore } from '../../src/service/storage/blocks/segment-store';
import { makeFolder } from '../service/support/folder';
import { someBytes } from './kit/content';
import { onWrites } from './kit/writes';
import { rawBlock } from './store.suite';

const OPTIONS = { durable: true, segmentBytes: 100_000, cacheBytes: 0, warn: () => undefined };

test('a failed removal does not affect a later one of the same block', async () => {
  const directory = makeFolder();
  const store = await SegmentStore.open(directory, OPTIONS);
  const { cid, bytes } = rawBlock(someBytes(3000));
  const key = cid.multihash.bytes;
  await store.put(cid, [bytes]);
  await store.commit();

  let second: Promise<boolean> | undefined;
  await onWrites((written, write) => {
    const isRemoval = /^[0-9a-f]{8} \[/.test(written.toString('latin1', 0, 10));
    if (!isRemoval || second !== undefined) return write();
    // The block is stored and removed again before the one whose removal fails here hears of it: that takes the disk.
    second = store.put(cid, [bytes]).then(() => store.delete(key));
    throw new Error('ENOSPC: no space left on device');
  });
  await expect(store.delete(key)).rejects.toThrow(/ENOSPC/);
  expect(await second).toBe(true);
  expect(await store.has(key)).toBe(false);
  expect(await store.stat()).toMatchObject({ blocks: 0, blockBytes: 0 });
  await store.close();

  const again = await SegmentStore.open(directory, OPTIONS);
  expect(await again.has(key)).toBe(false);
  await again.close();
});
