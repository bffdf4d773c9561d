import { uncharged } from '../../../../src/service/admission/uncharged';
import { CID } from 'multiformats/cid';
import {
  type BlockStore,
  damagedBlocks,
  type Multihash,
  type Session,
} from '../../../../src/service/storage/store/block-store';
import { digestOf } from '../../../support/storage/digest';
import { someBytes } from '../../../support/storage/content';

/** Uses a block in a session, in one of the two ways. */
export const useOf = (session: Session, use: 'put' | 'keep', key: Multihash, bytes: Uint8Array): Promise<void> =>
  use === 'put' ? session.put(key, bytes) : session.keep(key, uncharged());
export type Opened = {
  readonly store: BlockStore;
  readonly reopen: () => Promise<BlockStore>;
  /** Makes what is stored old enough to be removed. */
  readonly age?: () => void;
};

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
    const age = () => opened.age?.();
    const reopen = async () => {
      await store.close();
      store = await opened.reopen();
    };

    test('returns what was put, even after reopening', async () => {
      const blocks = [0, 1, 1000, 262_158, 1 << 20].map((length) => rawBlock(someBytes(length)));
      blocks.push(rawBlock(someBytes(50), BLAKE2B_256));
      for (const { cid, bytes } of blocks) await store.put(cid.multihash.bytes, bytes);
      await store.commit();
      const check = async () => {
        for (const { cid, bytes } of blocks) {
          const key = cid.multihash.bytes;
          expect(await store.has(key)).toBe(true);
          expect(Buffer.compare((await store.get(key, uncharged()))!, bytes)).toBe(0);
        }
      };
      await check();
      await reopen();
      await check();
      expect((await all(store.keys())).map(hex).sort()).toEqual(
        blocks.map(({ cid }) => hex(cid.multihash.bytes)).sort(),
      );
      expect(await store.stat()).toMatchObject({ blocks: 6, blockBytes: 50 + 1001 + 262_158 + (1 << 20) });
    });

    test('an absent block', async () => {
      const { cid } = rawBlock(Buffer.from('absent'));
      expect(await store.has(cid.multihash.bytes)).toBe(false);
      expect(await store.get(cid.multihash.bytes, uncharged())).toBeUndefined();
      expect(await store.delete(cid.multihash.bytes)).toBe(false);
    });

    test('the same block put many times concurrently is stored once', async () => {
      const { cid, bytes } = rawBlock(someBytes(5000));
      await Promise.all(Array.from({ length: 20 }, () => store.put(cid.multihash.bytes, bytes)));
      await store.commit();
      expect(await store.stat()).toMatchObject({ blocks: 1, blockBytes: 5000 });
    });

    test('a deleted block stays deleted, and can be put again', async () => {
      const { cid, bytes } = rawBlock(Buffer.from('come and go'));
      const key = cid.multihash.bytes;
      for (let round = 0; round < 2; round++) {
        await store.put(cid.multihash.bytes, bytes);
        await store.commit();
        age();
        expect(await store.delete(key)).toBe(true);
        expect(await store.has(key)).toBe(false);
        await reopen();
        expect(await store.has(key)).toBe(false);
      }
      await store.put(cid.multihash.bytes, bytes);
      await store.commit();
      await reopen();
      expect(Buffer.from((await store.get(key, uncharged()))!).toString()).toBe('come and go');
    });

    test('a block is not deleted if something needs it, or a request has found or put it since', async () => {
      const { cid, bytes } = rawBlock(someBytes(1000));
      const key = cid.multihash.bytes;
      await store.put(key, bytes);
      await store.commit();
      age();
      await expect(store.delete(key, () => Promise.reject(new Error('pinned')))).rejects.toThrow('pinned');
      for (const use of ['keep', 'put'] as const) {
        // It ends before the block is removed: by then it may have pinned it.
        const useAndEnd = async () => {
          const session = store.begin();
          await useOf(session, use, key, bytes);
          session.end();
        };
        await expect(store.delete(key, useAndEnd)).rejects.toThrow(/in use by another request/);
        expect(Buffer.compare((await store.get(key, uncharged()))!, bytes)).toBe(0);
        age();
      }
      expect(await store.delete(key)).toBe(true);
      expect(await store.get(key, uncharged())).toBeUndefined();
    });

    test('a sweep removes dead blocks and keeps live ones', async () => {
      const blocks = Array.from({ length: 20 }, () => rawBlock(someBytes(2000)));
      for (const { cid, bytes } of blocks) await store.put(cid.multihash.bytes, bytes);
      await store.commit();
      age();
      const live = new Set(blocks.filter((_, index) => index % 10 === 0).map(({ cid }) => hex(cid.multihash.bytes)));
      const removed = await all(store.sweep(() => Promise.resolve((key) => live.has(hex(key)))));
      expect(removed.length).toBe(18);
      const check = async () => {
        for (const { cid, bytes } of blocks) {
          const found = await store.get(cid.multihash.bytes, uncharged());
          if (live.has(hex(cid.multihash.bytes))) expect(Buffer.compare(found!, bytes)).toBe(0);
          else expect(found).toBeUndefined();
        }
      };
      await check();
      expect(await store.stat()).toMatchObject({ blocks: 2, blockBytes: 4000 });
      await reopen();
      await check();
    });

    test('a sweep whose marking fails removes nothing, and ends', async () => {
      const { cid, bytes } = rawBlock(someBytes(1000));
      await store.put(cid.multihash.bytes, bytes);
      await store.commit();
      age();
      const failing = () => Promise.reject(new Error('not all that is pinned can be read'));
      for (let time = 0; time < 2; time++)
        await expect(all(store.sweep(failing))).rejects.toThrow('not all that is pinned can be read');
      expect(Buffer.compare((await store.get(cid.multihash.bytes, uncharged()))!, bytes)).toBe(0);
      const removed = await all(store.sweep(() => Promise.resolve(() => false)));
      expect(removed.map(hex)).toEqual([hex(cid.multihash.bytes)]);
    });

    test('blocks put during a sweep stay', async () => {
      const old = Array.from({ length: 20 }, () => rawBlock(someBytes(500)));
      for (const { cid, bytes } of old) await store.put(cid.multihash.bytes, bytes);
      await store.commit();
      age();
      const late = new Map<string, ReturnType<typeof rawBlock>>();
      const session = store.begin();
      for await (const key of store.sweep(() => Promise.resolve(() => false))) {
        void key;
        if (late.size >= 10) continue;
        const block = rawBlock(someBytes(500));
        late.set(hex(block.cid.multihash.bytes), block);
        await session.put(block.cid.multihash.bytes, block.bytes);
      }
      await store.commit();
      await reopen();
      for (const { cid, bytes } of late.values()) {
        expect(Buffer.compare((await store.get(cid.multihash.bytes, uncharged()))!, bytes)).toBe(0);
      }
    });

    test('blocks that a request finds while a sweep marks stay', async () => {
      const found = rawBlock(someBytes(500));
      const key = found.cid.multihash.bytes;
      await store.put(key, found.bytes);
      await store.commit();
      age();
      const mark = async () => {
        const session = store.begin();
        await session.keep(key, uncharged());
        expect(await store.has(key)).toBe(true);
        session.end();
        return () => false;
      };
      expect(await all(store.sweep(mark))).toEqual([]);
      expect(Buffer.compare((await store.get(key, uncharged()))!, found.bytes)).toBe(0);
      age();
      expect((await all(store.sweep(() => Promise.resolve(() => false)))).map(hex)).toEqual([hex(key)]);
    });

    test('one sweep at a time', async () => {
      const blocks = Array.from({ length: 3 }, () => rawBlock(someBytes(100)));
      for (const { cid, bytes } of blocks) await store.put(cid.multihash.bytes, bytes);
      age();
      let refused = 0;
      for await (const key of store.sweep(() => Promise.resolve(() => false))) {
        void key;
        await expect(all(store.sweep(() => Promise.resolve(() => false)))).rejects.toThrow('already running');
        refused++;
      }
      expect(refused).toBe(3);
    });

    test('verify reports no false problems', async () => {
      const { cid, bytes } = rawBlock(someBytes(3000));
      await store.put(cid.multihash.bytes, bytes);
      await store.commit();
      expect(await all(damagedBlocks(store, uncharged()))).toEqual([]);
    });
  });
}
