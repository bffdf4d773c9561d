import { CID } from 'multiformats/cid';
import { type BlockStore, type Multihash } from '../../src/service/storage/blocks/store';
import { digestOf } from '../../src/service/storage/hashes';
import { someBytes } from './kit/content';

export type Opened = { readonly store: BlockStore; readonly reopen: () => Promise<BlockStore> };

const SHA2_256 = 0x12;
const BLAKE2B_256 = 0xb220;
export const rawBlock = (bytes: Uint8Array, hash = SHA2_256) => ({
  cid: CID.createV1(0x55, digestOf(hash, bytes)),
  bytes,
});

const hex = (key: Multihash) => Buffer.from(key).toString('hex');

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const value of values) found.push(value);
  return found;
}

/** What every block store must do. */
export function describeStore(name: string, open: () => Promise<Opened>): void {
  describe(name, () => {
    let opened: Opened;
    let store: BlockStore;
    beforeEach(async () => {
      opened = await open();
      store = opened.store;
    });
    afterEach(() => store.close());
    const reopen = async () => {
      await store.close();
      store = await opened.reopen();
    };

    test('returns what was put, even after reopening', async () => {
      const blocks = [0, 1, 1000, 262_158, 1 << 20].map((length) => rawBlock(someBytes(length)));
      blocks.push(rawBlock(someBytes(50), BLAKE2B_256));
      for (const { cid, bytes } of blocks) await store.put(cid, [bytes.subarray(0, 7), bytes.subarray(7)]);
      await store.commit();
      const check = async () => {
        for (const { cid, bytes } of blocks) {
          const key = cid.multihash.bytes;
          expect(await store.has(key)).toBe(true);
          expect(await store.sizeOf(key)).toBe(bytes.length);
          expect(Buffer.compare((await store.get(key))!, bytes)).toBe(0);
        }
      };
      await check();
      await reopen();
      await check();
      expect((await all(store.keys())).map(hex).sort()).toEqual(
        blocks.map(({ cid }) => hex(cid.multihash.bytes)).sort(),
      );
      expect(await store.stat()).toMatchObject({ blocks: 6, blockBytes: 50 + 1001 + 262_158 + (1 << 20), damaged: 0 });
    });

    test('an absent block', async () => {
      const { cid } = rawBlock(Buffer.from('absent'));
      expect(await store.has(cid.multihash.bytes)).toBe(false);
      expect(await store.get(cid.multihash.bytes)).toBeUndefined();
      expect(await store.sizeOf(cid.multihash.bytes)).toBeUndefined();
      expect(await store.delete(cid.multihash.bytes)).toBe(false);
    });

    test('the same block put many times concurrently is stored once', async () => {
      const { cid, bytes } = rawBlock(someBytes(5000));
      await Promise.all(Array.from({ length: 20 }, () => store.put(cid, [bytes])));
      await store.commit();
      const { blocks, storedBytes } = await store.stat();
      expect(blocks).toBe(1);
      expect(storedBytes).toBeLessThan(10_000);
    });

    test('a deleted block stays deleted, and can be put again', async () => {
      const { cid, bytes } = rawBlock(Buffer.from('come and go'));
      const key = cid.multihash.bytes;
      for (let round = 0; round < 2; round++) {
        await store.put(cid, [bytes]);
        await store.commit();
        expect(await store.delete(key)).toBe(true);
        expect(await store.has(key)).toBe(false);
        await reopen();
        expect(await store.has(key)).toBe(false);
      }
      await store.put(cid, [bytes]);
      await store.commit();
      await reopen();
      expect(Buffer.from((await store.get(key))!).toString()).toBe('come and go');
    });

    test('a block is not deleted if something needs it, or a session is using it or has used it since', async () => {
      const { cid, bytes } = rawBlock(someBytes(1000));
      const key = cid.multihash.bytes;
      await store.put(cid, [bytes]);
      await store.commit();
      const needed = () => Promise.reject(new Error('pinned'));
      await expect(store.delete(key, needed)).rejects.toThrow('pinned');
      const before = store.begin();
      await before.touch(key);
      await expect(store.delete(key)).rejects.toThrow(/in use by another request/);
      // The lookup of pins was too early to see a pin that this session makes before it ends.
      await expect(store.delete(key, before.end)).rejects.toThrow(/in use by another request/);
      const during = store.begin();
      const touchAndEnd = async () => {
        await during.touch(key);
        await during.end();
      };
      await expect(store.delete(key, touchAndEnd)).rejects.toThrow(/in use by another request/);
      expect(Buffer.compare((await store.get(key))!, bytes)).toBe(0);
      expect(await store.delete(key)).toBe(true);
      expect(await store.get(key)).toBeUndefined();
    });

    test('a sweep removes dead blocks, keeps live ones, and frees space', async () => {
      const blocks = Array.from({ length: 200 }, () => rawBlock(someBytes(2000)));
      for (const { cid, bytes } of blocks) await store.put(cid, [bytes]);
      await store.commit();
      const before = (await store.stat()).storedBytes;
      const live = new Set(blocks.filter((_, index) => index % 10 === 0).map(({ cid }) => hex(cid.multihash.bytes)));
      const removed = await all(store.sweep(() => Promise.resolve((key) => live.has(hex(key)))));
      expect(removed.length).toBe(180);
      const check = async () => {
        for (const { cid, bytes } of blocks) {
          const found = await store.get(cid.multihash.bytes);
          if (live.has(hex(cid.multihash.bytes))) expect(Buffer.compare(found!, bytes)).toBe(0);
          else expect(found).toBeUndefined();
        }
      };
      await check();
      expect((await store.stat()).storedBytes).toBeLessThan(before / 4);
      await reopen();
      await check();
    });

    test('a sweep whose marking fails removes nothing, and ends', async () => {
      const { cid, bytes } = rawBlock(someBytes(1000));
      await store.put(cid, [bytes]);
      await store.commit();
      const failing = () => Promise.reject(new Error('not all that is pinned can be read'));
      for (let time = 0; time < 2; time++)
        await expect(all(store.sweep(failing))).rejects.toThrow('not all that is pinned can be read');
      expect(Buffer.compare((await store.get(cid.multihash.bytes))!, bytes)).toBe(0);
      const removed = await all(store.sweep(() => Promise.resolve(() => false)));
      expect(removed.map(hex)).toEqual([hex(cid.multihash.bytes)]);
    });

    test('blocks put during a sweep stay', async () => {
      const old = Array.from({ length: 600 }, () => rawBlock(someBytes(500)));
      for (const { cid, bytes } of old) await store.put(cid, [bytes]);
      await store.commit();
      const late = new Map<string, ReturnType<typeof rawBlock>>();
      for await (const key of store.sweep(() => Promise.resolve((each) => late.has(hex(each))))) {
        void key;
        if (late.size >= 50) continue;
        const block = rawBlock(someBytes(500));
        late.set(hex(block.cid.multihash.bytes), block);
        await store.put(block.cid, [block.bytes]);
      }
      await store.commit();
      await reopen();
      for (const { cid, bytes } of late.values()) {
        expect(Buffer.compare((await store.get(cid.multihash.bytes))!, bytes)).toBe(0);
      }
    });

    test('verify reports no false problems', async () => {
      const { cid, bytes } = rawBlock(someBytes(3000));
      await store.put(cid, [bytes]);
      await store.commit();
      expect(await all(store.verify())).toEqual([]);
    });
  });
}
