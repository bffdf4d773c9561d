import { once } from 'node:events';
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StorageClient, StorageError } from '../../src/clients/storage';
import { connectRedis } from '../../src/service/runtime/redis';
import { type BlockStore, DamagedBlockError } from '../../src/service/storage/blocks/store';
import { type Pin } from '../../src/service/storage/pins/pin-store';
import { startRedis } from '../service/support/redis';
import { startChildService } from './kit/child-service';
import { addPinned, collect, contentOf, expectAll, someBytes } from './kit/content';
import { noBucket, startBucket, type TestBucket } from './kit/s3';
import { startTestService, temporaryDirectory } from './kit/service';
import { describeStore, rawBlock } from './store.suite';

/** Starting services and processes may take long on a busy machine. */
jest.setTimeout(300_000);

const NOTHING_LIVE = () => Promise.resolve(() => false);

const maybe = noBucket === undefined ? describe : describe.skip;

maybe(`blocks and pins in a bucket${noBucket === undefined ? '' : ` (${noBucket})`}`, () => {
  let bucket: TestBucket;
  let stores = 0;
  const nextPrefix = () => `test-${++stores}/`;
  beforeAll(async () => {
    bucket = await startBucket();
  });

  describeStore('the store in a bucket', async () => {
    const prefix = nextPrefix();
    const open = async () => (await bucket.open({ prefix })).store;
    return { store: await open(), reopen: open };
  });

  /** Two processes, as far as the bucket can tell. */
  const openTwo = async (warnings: string[] = []) => {
    const prefix = nextPrefix();
    const [a, b] = [await bucket.open({ prefix, warnings }), await bucket.open({ prefix, warnings })];
    return { a: a.store, b: b.store, prefix, close: () => Promise.all([a.store.close(), b.store.close()]) };
  };

  test('what one process stored and pinned, another returns and releases', async () => {
    const prefix = nextPrefix();
    const one = await startTestService({ shared: await bucket.open({ prefix }) });
    const two = await startTestService({ shared: await bucket.open({ prefix }) });
    const [first, second] = [new StorageClient({ url: one.url }), new StorageClient({ url: two.url })];
    const content = someBytes(700_000);
    const { cid } = await first.add(content, { name: 'a file' });
    expect(Buffer.compare(await second.read(cid), content)).toBe(0);
    expect(await collect(second.pinLs())).toEqual([{ cid, type: 'recursive' }]);

    await collect(second.stream('repo/gc'));
    expect(Buffer.compare(await first.read(cid), content)).toBe(0);
    await second.pinRm(cid);
    expect(await collect(first.pinLs())).toEqual([]);
    await collect(first.stream('repo/gc'));
    await expect(second.read(cid)).rejects.toMatchObject({ kind: 'refused' });
    await one.discard();
    await two.discard();
  });

  test('a pin that changes its name and mode always exists', async () => {
    const { store, pins } = await bucket.open({ prefix: nextPrefix() });
    const { cid } = rawBlock(Buffer.from('pinned'));
    const plain = (all: readonly Pin[]) =>
      all.map(({ cid: at, mode, name: called }) => ({
        cid: at.toString(),
        mode,
        ...(called !== undefined && { name: called }),
      }));
    const name = 'Ünïcode / name';
    await pins.add('a/../b', cid, 'direct', name);
    expect(plain(await pins.list('a/../b'))).toEqual([{ cid: cid.toString(), mode: 'direct', name }]);
    await pins.add('a/../b', cid, 'recursive');
    expect(plain(await pins.list('a/../b'))).toEqual([{ cid: cid.toString(), mode: 'recursive', name }]);
    await expect(pins.add('a/../b', cid, 'direct')).rejects.toThrow(/already pinned recursively/);
    await expect(pins.add('c', cid, 'direct', 'x'.repeat(181))).rejects.toThrow(/limit of 180 bytes/);
    expect(await pins.list('c')).toEqual([]);
    const other = rawBlock(Buffer.from('other')).cid;
    await pins.move('a/../b', cid, other, true);
    expect(plain(await pins.all())).toEqual([{ cid: other.toString(), mode: 'recursive', name }]);
    await expect(pins.remove('a/../b', other, false)).rejects.toThrow(/is pinned recursively/);
    await pins.remove('a/../b', other, true);
    await expect(pins.remove('a/../b', other, true)).rejects.toThrow(/not pinned/);
    await store.close();
  });

  test('a collection keeps blocks used by an operation of another process', async () => {
    const { a, b, close } = await openTwo();
    const { cid, bytes } = rawBlock(someBytes(2000));
    const key = cid.multihash.bytes;
    const session = b.begin();
    await session.touch(key);
    await b.put(cid, [bytes]);
    await b.commit();
    expect(await collect(a.sweep(NOTHING_LIVE))).toEqual([]);
    await session.end();
    expect((await collect(a.sweep(NOTHING_LIVE))).length).toBe(1);
    expect(await b.has(key)).toBe(false);
    await close();
  });

  test('a collection keeps blocks that were stored before it, found again while it marks, and released before it removes', async () => {
    const { a, b, close } = await openTwo();
    const { cid, bytes } = rawBlock(someBytes(2000));
    await a.put(cid, [bytes]);
    await a.commit();
    const swept = await collect(
      a.sweep(async () => {
        // Another process adds the same content. It finds the block, writes nothing, and finishes before the marking.
        const session = b.begin();
        await session.touch(cid.multihash.bytes);
        await b.put(cid, [bytes]);
        await b.commit();
        await session.end();
        return () => false;
      }),
    );
    expect(swept).toEqual([]);
    expect(Buffer.compare((await b.get(cid.multihash.bytes))!, bytes)).toBe(0);
    await close();
  });

  test('one collection at a time; blocks that moved are found by the others', async () => {
    const { a, b, close } = await openTwo();
    const blocks = Array.from({ length: 60 }, () => rawBlock(someBytes(1000)));
    for (const { cid, bytes } of blocks) {
      await a.put(cid, [bytes]);
      await a.commit();
    }
    const live = new Set(blocks.slice(0, 40).map(({ cid }) => cid.toString()));
    const isLive = (key: Uint8Array) =>
      blocks.some(({ cid }) => live.has(cid.toString()) && Buffer.compare(cid.multihash.bytes, key) === 0);
    for await (const key of a.sweep(() => Promise.resolve(isLive))) {
      void key;
      await expect(collect(b.sweep(NOTHING_LIVE))).rejects.toThrow(/already running/);
    }
    for (const [position, { cid, bytes }] of blocks.entries()) {
      const found = await b.get(cid.multihash.bytes);
      if (position < 40) expect(Buffer.compare(found!, bytes)).toBe(0);
      else expect(found).toBeUndefined();
    }
    // Sixty small segments became one.
    expect((await b.stat()).storedBytes).toBeLessThan(50_000);
    await close();
  });

  test('a flipped byte in an object is detected, and putting the block again repairs it', async () => {
    const warnings: string[] = [];
    const { a, prefix, close } = await openTwo(warnings);
    const { cid, bytes } = rawBlock(someBytes(3000));
    await a.put(cid, [bytes]);
    await a.commit();
    const folder = join(bucket.directory, prefix, 'segments');
    const [object] = readdirSync(folder).filter((name) => name.includes('.car') && name.endsWith('_object'));
    const stored = readFileSync(join(folder, object!));
    stored[stored.indexOf(bytes) + 5]! ^= 1;
    writeFileSync(join(folder, object!), stored);
    await expect(a.get(cid.multihash.bytes)).rejects.toThrow(DamagedBlockError);
    expect(await a.has(cid.multihash.bytes)).toBe(false);
    expect(warnings.join()).toMatch(/is damaged in segment/);
    await a.put(cid, [bytes]);
    await a.commit();
    expect(Buffer.compare((await a.get(cid.multihash.bytes))!, bytes)).toBe(0);
    await close();
  });

  test.each(['other bytes', 'a part', 'nothing'] as const)(
    'blocks of which the object store returns %s for a time are not lost, even if a collection runs meanwhile',
    async (wrong) => {
      const { a, b, prefix, close } = await openTwo();
      const blocks = Array.from({ length: 4 }, () => rawBlock(someBytes(3000)));
      for (const { cid, bytes } of blocks) await a.put(cid, [bytes]);
      await a.commit();
      const [needless, ...needed] = blocks;
      const isLive = (key: Uint8Array) => Buffer.compare(key, needless!.cid.multihash.bytes) !== 0;
      const folder = join(bucket.directory, prefix, 'segments');
      const [object] = readdirSync(folder).filter((name) => name.includes('.car') && name.endsWith('_object'));
      const file = join(folder, object!);
      const stored = readFileSync(file);
      const returned = { 'other bytes': Buffer.alloc(stored.length, 1), 'a part': stored.subarray(0, 100) };
      if (wrong === 'nothing') renameSync(file, `${file}-away`);
      else writeFileSync(file, returned[wrong]);
      await expect(b.get(needed[0]!.cid.multihash.bytes)).rejects.toThrow(DamagedBlockError);
      await collect(a.sweep(() => Promise.resolve(isLive)));
      for (const { cid } of needed) expect(await a.has(cid.multihash.bytes)).toBe(false);
      // The object store is as before.
      if (wrong === 'nothing') renameSync(`${file}-away`, file);
      else writeFileSync(file, stored);
      expect(await collect(b.verify())).toEqual([]);
      for (const { cid, bytes } of needed) expect(Buffer.compare((await a.get(cid.multihash.bytes))!, bytes)).toBe(0);
      await collect(a.sweep(() => Promise.resolve(isLive)));
      expect(await a.has(needless!.cid.multihash.bytes)).toBe(false);
      expect((await a.stat()).storedBytes).toBeLessThan(10_000);
      for (const { cid, bytes } of needed) expect(Buffer.compare((await b.get(cid.multihash.bytes))!, bytes)).toBe(0);
      await close();
    },
  );

  test.each([
    ['a check', (store: BlockStore) => store.check()],
    [
      'the next session',
      async (store: BlockStore) => {
        const session = store.begin();
        await session.touch(rawBlock(Buffer.from('another')).cid.multihash.bytes);
        await session.end();
      },
    ],
  ])('a Redis that is flushed while it runs is filled again by %s', async (_name, notice) => {
    const { a, b, close } = await openTwo();
    const { cid, bytes } = rawBlock(someBytes(2000));
    const key = cid.multihash.bytes;
    await a.put(cid, [bytes]);
    await a.commit();
    const client = await connectRedis(bucket.redis.url, () => undefined);
    await client.flushAll();
    await client.close();
    expect(await a.has(key)).toBe(false);
    await notice(a);
    expect(Buffer.compare((await b.get(key))!, bytes)).toBe(0);
    // Touches were lost, so nothing is removed before the requests of that time have ended.
    await expect(collect(b.sweep(NOTHING_LIVE))).rejects.toThrow('blocks can be removed in');
    await close();
  });

  test('the bucket goes away and comes back: clear errors, and no acknowledged data is lost', async () => {
    const prefix = nextPrefix();
    const service = await startTestService({ shared: await bucket.open({ prefix }) });
    const client = new StorageClient({ url: service.url });
    const acknowledged = new Map<number, string>();
    for (const number of [1, 2, 3]) acknowledged.set(number, (await client.add(contentOf(number))).cid);
    expect(await service.problems()).toEqual([]);

    await bucket.leave();
    const refused = { kind: 'refused', status: 500, message: expect.stringMatching(/object store cannot be reached/) };
    await expect(client.add(contentOf(4))).rejects.toMatchObject(refused);
    await expect(client.read(acknowledged.get(1)!)).rejects.toMatchObject(refused);
    expect((await service.problems()).join()).toMatch(/object store cannot be reached/);

    await bucket.back();
    await expectAll(service.url, acknowledged);
    acknowledged.set(4, (await client.add(contentOf(4))).cid);
    await expectAll(service.url, acknowledged);
    await service.discard();
  });

  test('Redis goes away and comes back empty: the index is rebuilt, and garbage stays for a while', async () => {
    const prefix = nextPrefix();
    const redis = await startRedis();
    const service = await startTestService({ shared: await bucket.open({ prefix, redisUrl: redis.url }) });
    const client = new StorageClient({ url: service.url });
    const acknowledged = new Map<number, string>();
    for (const number of [1, 2, 3]) acknowledged.set(number, (await client.add(contentOf(number))).cid);

    redis.process.kill('SIGKILL');
    await once(redis.process, 'exit');
    await expect(client.add(contentOf(4))).rejects.toMatchObject({ kind: 'refused', status: 500 });
    await startRedis(redis.port);
    const isBack = async () => {
      while ((await service.problems()).length > 0) await new Promise((resolve) => setTimeout(resolve, 50));
    };
    await isBack();
    await expectAll(service.url, acknowledged);
    const [failure] = await Promise.allSettled([collect(client.stream('repo/gc'))]);
    expect(failure).toMatchObject({
      status: 'rejected',
      reason: expect.objectContaining({ message: expect.stringMatching(/rebuilt after a loss.* in \d+ seconds/) }),
    });
    await service.discard();
  });

  test('a missing bucket is reported, and does not count as an empty one', async () => {
    await expect(bucket.open({ bucket: 'nosuch' })).rejects.toThrow(/404 NoSuchBucket/);
  });

  test('kill -9 of one of two processes that add, pin and collect: no acknowledged data is lost', async () => {
    const options = { ...bucket.options, prefix: nextPrefix(), segmentBytes: 1 << 20 };
    const survivor = await startChildService(await temporaryDirectory(), undefined, options);
    const acknowledged = new Map<number, string>();
    let next = 0;
    for (const killAfter of [8, 15]) {
      const victim = await startChildService(await temporaryDirectory(), undefined, options);
      let acks = 0;
      let killed: Promise<void> | undefined;
      const adder = async (url: string) => {
        const client = new StorageClient({ url });
        while (killed === undefined) {
          const number = next++;
          const cid = await addPinned(client, number, number % 3 === 0 ? 'after' : 'at once');
          if (cid === undefined) continue;
          acknowledged.set(number, cid);
          if (++acks === killAfter) killed = victim.kill();
        }
      };
      const collector = async (url: string) => {
        const client = new StorageClient({ url });
        for (let round = 0; killed === undefined; round++) {
          await client.add(contentOf(1_000_000 + next + round), { pin: false });
          await collect(client.stream('repo/gc'));
        }
      };
      const results = await Promise.allSettled([
        adder(victim.url),
        adder(victim.url),
        adder(survivor.url),
        collector(survivor.url),
      ]);
      await killed;
      for (const result of results) {
        if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(StorageError);
      }
      await expectAll(survivor.url, acknowledged);
    }
    await survivor.stop();
    expect(acknowledged.size).toBeGreaterThan(20);
  });
});
