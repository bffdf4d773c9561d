import { uncharged } from '../../../../src/service/admission/uncharged';
import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { StorageClient } from '../../../../src/clients/storage';
import { openSqliteUse } from '../../../../src/service/keys/use-sqlite';
import { DamagedBlockError, damagedBlocks } from '../../../../src/service/storage/store/block-store';
import { Bucket } from '../../../../src/service/storage/store/bucket';
import { BucketStore } from '../../../../src/service/storage/store/bucket-store';
import { fileOf } from '../../../../src/service/storage/store/flatfs';
import { type Pin } from '../../../../src/service/storage/store/pin-store';
import { describeBucketGarbage } from './bucket-garbage.suite';
import { describeBucketPins } from './bucket-pins.suite';
import { perRun, testNightly } from '../../../support/nightly';
import { collect, contentOf, expectAll, someBytes } from '../../../support/storage/content';
import { startChildService } from '../../../support/storage/child-service';
import { killBesideAnother } from '../../../support/storage/kills';
import { startDatingProxy } from '../../../support/storage/dating-proxy';
import { startBucket, type TestBucket } from '../../../support/storage/s3';
import { noBucket } from '../../../support/storage/s3-process';
import { startTestService, temporaryDirectory } from '../../../support/storage/service';
import { SteppedBucket } from '../../../support/storage/stepped-bucket';
import { describeStore, rawBlock, useOf } from './store.suite';

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
    return {
      store: await open(),
      reopen: open,
      age: () => {
        bucket.age(prefix);
      },
    };
  });

  describeBucketPins(() => ({ ...bucket.options, prefix: nextPrefix() }));
  describeBucketGarbage(() => bucket);

  /** Two processes, as far as the bucket can tell. The bucket of the first runs steps. */
  const openTwo = () => {
    const options = { ...bucket.options, prefix: nextPrefix() };
    const stepped = new SteppedBucket(options);
    const graceMs = options.graceSeconds * 1000;
    return {
      options,
      stepped,
      plain: new Bucket(options),
      a: new BucketStore(stepped, graceMs),
      b: new BucketStore(new Bucket(options), graceMs),
      folder: join(bucket.directory, options.prefix),
      age: () => {
        bucket.age(options.prefix);
      },
    };
  };
  const stored = (folder: string, key: Uint8Array) => {
    const { folder: shard, file } = fileOf(key);
    return join(folder, 'blocks', shard, `${file}._S3rver_object`);
  };

  test('objects are named as the files of Kubo', async () => {
    const { a, plain } = openTwo();
    const { cid, bytes } = rawBlock(someBytes(10));
    await a.put(cid.multihash.bytes, bytes);
    const { folder, file } = fileOf(cid.multihash.bytes);
    expect(await collect(plain.list(''))).toEqual([`blocks/${folder}/${file}`]);
  });

  test('what one process stored and pinned, another returns and releases', async () => {
    const prefix = nextPrefix();
    const one = await startTestService({ shared: await bucket.open({ prefix }) });
    const two = await startTestService({ shared: await bucket.open({ prefix }) });
    const [first, second] = [new StorageClient({ url: one.url }), new StorageClient({ url: two.url })];
    const content = someBytes(700_000);
    const { cid } = await first.add(content, { name: 'a file' });
    expect(Buffer.compare(await second.read(cid), content)).toBe(0);
    expect(await collect(second.pinLs())).toEqual([{ cid, type: 'recursive' }]);

    bucket.age(prefix);
    await collect(second.stream('repo/gc'));
    expect(Buffer.compare(await first.read(cid), content)).toBe(0);
    await second.pinRm(cid);
    expect(await collect(first.pinLs())).toEqual([]);
    await collect(first.stream('repo/gc'));
    await expect(second.read(cid)).rejects.toMatchObject({ kind: 'refused' });
    await one.discard();
    await two.discard();
  });

  testNightly('what a key has pinned in a bucket is counted in its use, some seconds later', async () => {
    const use = openSqliteUse(join(await temporaryDirectory(), 'use.sqlite'));
    const service = await startTestService({ shared: await bucket.open({ prefix: nextPrefix() }), use });
    const client = new StorageClient({ url: service.url });
    await client.add(someBytes(1000));
    await client.add(someBytes(2000));
    const counted = async () => (await use.read('local')).state;
    while ((await counted()).pins === undefined) await delay(100);
    const { pins, pinnedBytes = 0 } = await counted();
    expect(pins).toBe(2);
    expect(pinnedBytes).toBeGreaterThan(3000);
    await service.discard();
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
    expect(plain(await collect(pins.list(uncharged(), 'a/../b')))).toEqual([
      { cid: cid.toString(), mode: 'direct', name },
    ]);
    await pins.add('a/../b', cid, 'recursive');
    expect(plain(await collect(pins.list(uncharged(), 'a/../b')))).toEqual([
      { cid: cid.toString(), mode: 'recursive', name },
    ]);
    await expect(pins.add('a/../b', cid, 'direct')).rejects.toThrow(/already pinned recursively/);
    await expect(pins.add('c', cid, 'direct', 'x'.repeat(181))).rejects.toThrow(/limit of 180 bytes/);
    expect(await collect(pins.list(uncharged(), 'c'))).toEqual([]);
    const other = rawBlock(Buffer.from('other')).cid;
    await pins.move('a/../b', cid, other, true);
    expect(plain(await collect(pins.list(uncharged())))).toEqual([{ cid: other.toString(), mode: 'recursive', name }]);
    await expect(pins.remove('a/../b', other, false)).rejects.toThrow(/is pinned recursively/);
    await pins.remove('a/../b', other, true);
    await expect(pins.remove('a/../b', other, true)).rejects.toThrow(/not pinned/);
    await store.close();
  });

  describe('the grace time', () => {
    test('a young block is not removed, and a removal of it says that it may be in use', async () => {
      const { a, b } = openTwo();
      const { cid, bytes } = rawBlock(someBytes(2000));
      await b.put(cid.multihash.bytes, bytes);
      expect(await collect(a.sweep(NOTHING_LIVE))).toEqual([]);
      await expect(a.delete(cid.multihash.bytes)).rejects.toThrow('in use by another request');
      expect(await b.has(cid.multihash.bytes)).toBe(true);
    });

    test.each(['put', 'keep'] as const)('%s of an old block makes it young', async (use) => {
      const { a, b, age } = openTwo();
      const { cid, bytes } = rawBlock(someBytes(2000));
      const key = cid.multihash.bytes;
      await a.put(key, bytes);
      age();
      await useOf(b.begin(), use, key, bytes);
      expect(await collect(a.sweep(NOTHING_LIVE))).toEqual([]);
      expect(Buffer.compare((await b.get(key, uncharged()))!, bytes)).toBe(0);
    });

    test.each([
      ['ahead', 2 * 3_600_000],
      ['behind', -2 * 3_600_000],
    ])('a proxy whose clock is %s makes nothing old or young', async (_name, aheadMs) => {
      const { options, a, b, plain, age } = openTwo();
      const endpoint = await startDatingProxy(options.endpoint, aheadMs);
      const proxied = new BucketStore(new Bucket({ ...options, endpoint }), options.graceSeconds * 1000);
      const { cid, bytes } = rawBlock(someBytes(2000));
      const key = cid.multihash.bytes;
      await b.put(key, bytes);
      expect(await collect(proxied.sweep(NOTHING_LIVE))).toEqual([]);
      // What is announced counts, and stays announced.
      await plain.put('removing/killed', Buffer.from(stored('', key).replace('._S3rver_object', '')));
      await proxied.put(key, bytes);
      expect(await collect(plain.list('copies/'))).toHaveLength(1);
      expect(await collect(plain.list('removing/'))).toEqual(['removing/killed']);
      // An old block is renewed.
      age();
      await proxied.begin().keep(key, uncharged());
      await collect(a.sweep(NOTHING_LIVE));
      expect(await a.has(key)).toBe(true);
    });

    test('a bucket that takes too long for an announcement ends the collection, and nothing is removed', async () => {
      const { a, age, stepped, plain } = openTwo();
      const { cid, bytes } = rawBlock(someBytes(2000));
      await a.put(cid.multihash.bytes, bytes);
      age();
      const put = stepped.put.bind(stepped);
      const now = performance.now.bind(performance);
      let lateMs = 0;
      jest.spyOn(performance, 'now').mockImplementation(() => now() + lateMs);
      jest.spyOn(stepped, 'put').mockImplementation(async (name, body) => {
        await put(name, body);
        if (name.startsWith('removing/')) lateMs += 16_000;
      });
      await expect(collect(a.sweep(NOTHING_LIVE))).rejects.toThrow('the object store answers too slowly');
      expect(await collect(plain.list('removing/'))).toHaveLength(1);
      expect(await a.has(cid.multihash.bytes)).toBe(true);
    });

    test('an object without a time is kept', async () => {
      const { a, age, stepped } = openTwo();
      const { cid, bytes } = rawBlock(someBytes(2000));
      await a.put(cid.multihash.bytes, bytes);
      age();
      await stepped.now();
      jest.spyOn(stepped, 'head').mockResolvedValue({ size: 2000, modified: NaN });
      expect(await collect(a.sweep(NOTHING_LIVE))).toEqual([]);
    });
  });

  describe('a block that is stored at the moment of its removal', () => {
    /** A block that is old and that no pin needs, in a bucket of two processes. */
    const oldBlock = async () => {
      const two = openTwo();
      const { cid, bytes } = rawBlock(someBytes(2000));
      const key = cid.multihash.bytes;
      await two.a.put(key, bytes);
      two.age();
      return { ...two, key, bytes, name: stored('', key).replace('._S3rver_object', '') };
    };
    const copiesIn = (plain: Bucket) => collect(plain.list('copies/'));

    test('after the last look at its age: it is acknowledged at once, and stays', async () => {
      const { a, b, plain, stepped, key, bytes } = await oldBlock();
      stepped.at('delete', () => b.put(key, bytes));
      expect(await collect(a.sweep(NOTHING_LIVE))).toHaveLength(1);
      expect(await collect(plain.list('blocks/'))).toEqual([]);
      for (const store of [a, b]) {
        expect(await store.has(key)).toBe(true);
        expect(Buffer.compare((await store.get(key, uncharged()))!, bytes)).toBe(0);
        expect(await collect(store.keys())).toEqual([key]);
        expect(await store.stat()).toEqual({ blocks: 1, blockBytes: 2000 });
      }
    });

    test('a collection that ends before the one who stored it looks for announcements is noticed', async () => {
      const { a, stepped, options, key, bytes } = await oldBlock();
      const writing = new SteppedBucket(options);
      let collectionEnds: () => void = () => undefined;
      const ended = new Promise<void>((resolve) => (collectionEnds = resolve));
      writing.at('put', () => ended);
      let putting = Promise.resolve();
      stepped.at('delete', async () => {
        const isStored = new Promise<void>((resolve) => {
          const put = writing.put.bind(writing);
          jest.spyOn(writing, 'put').mockImplementationOnce(async (name, body) => {
            await new Bucket(options).put(name, body);
            resolve();
            await put('other', Buffer.alloc(0));
          });
        });
        putting = new BucketStore(writing, options.graceSeconds * 1000).put(key, bytes);
        await isStored;
      });
      await collect(a.sweep(NOTHING_LIVE));
      collectionEnds();
      await putting;
      expect(Buffer.compare((await a.get(key, uncharged()))!, bytes)).toBe(0);
    });

    test.each([
      ['names the block', (name: string) => `blocks/AA/other.data\n${name}`, 1],
      ['does not name it', () => 'blocks/AA/other.data', 0],
      ['says nothing, as those of earlier builds', () => '', 1],
    ])('the announcement of a killed process that %s', async (_name, body, copies) => {
      const { b, plain, folder, key, bytes, name } = await oldBlock();
      await plain.put('removing/killed', Buffer.from(body(name)));
      for (let time = 0; time < 3; time++) await b.put(key, bytes);
      expect(await copiesIn(plain)).toHaveLength(copies);
      // The removal that the process had begun is carried out.
      if (copies > 0) await plain.delete(name);
      expect(Buffer.compare((await b.get(key, uncharged()))!, bytes)).toBe(0);
      const old = Date.now() / 1000 - 181;
      utimesSync(join(folder, 'removing', 'killed._S3rver_object'), old, old);
      await b.put(key, bytes);
      expect(await collect(plain.list('removing/'))).toEqual([]);
      expect(await copiesIn(plain)).toHaveLength(copies);
    });

    test('who keeps a block that a killed process has just stored does not rely on it', async () => {
      const { b, plain, key, bytes, name } = await oldBlock();
      await plain.put('removing/collector', Buffer.from(name));
      // It was killed before it looked for announcements.
      await plain.put(name, bytes);
      await b.begin().keep(key, uncharged());
      await plain.delete(name);
      expect(Buffer.compare((await b.get(key, uncharged()))!, bytes)).toBe(0);
    });

    test('a copy is removed once it is old and nothing needs it, with the block', async () => {
      const { a, b, plain, age, key, bytes, name } = await oldBlock();
      await plain.put('removing/killed', Buffer.from(name));
      await b.put(key, bytes);
      expect(await collect(a.sweep(NOTHING_LIVE))).toEqual([]);
      await expect(a.delete(key)).rejects.toThrow('in use by another request');
      age();
      expect(await collect(a.sweep(() => Promise.resolve(() => true)))).toEqual([]);
      expect(await copiesIn(plain)).toHaveLength(1);
      expect(await a.delete(key)).toBe(true);
      expect([await a.has(key), await copiesIn(plain), await collect(plain.list('blocks/'))]).toEqual([false, [], []]);
      await plain.put('removing/killed', Buffer.from(name));
      await b.put(key, bytes);
      age();
      expect(await collect(a.sweep(NOTHING_LIVE))).toEqual([key, key]);
      expect(await a.has(key)).toBe(false);
    });

    test('an old copy alone is renewed by who keeps it', async () => {
      const { a, b, plain, age, key, bytes, name } = await oldBlock();
      await plain.put('removing/killed', Buffer.from(name));
      await b.put(key, bytes);
      await plain.delete(name);
      age();
      await b.begin().keep(key, uncharged());
      expect(await collect(a.sweep(NOTHING_LIVE))).toEqual([key]);
      expect(await copiesIn(plain)).toEqual([]);
      expect(Buffer.compare((await b.get(key, uncharged()))!, bytes)).toBe(0);
    });

    test('many of them, by two processes while a third collects: none is lost', async () => {
      const { a, b, age } = openTwo();
      const blocks = Array.from({ length: 16 }, () => rawBlock(someBytes(300)));
      for (let round = 0; round < 2; round++) {
        await Promise.all(blocks.map(({ cid, bytes }) => a.put(cid.multihash.bytes, bytes)));
        age();
        const sweeping = collect(a.sweep(NOTHING_LIVE));
        for (const { cid, bytes } of blocks) await b.put(cid.multihash.bytes, bytes);
        await sweeping;
        for (const { cid, bytes } of blocks)
          expect(Buffer.compare((await b.get(cid.multihash.bytes, uncharged()))!, bytes)).toBe(0);
      }
    });

    test('two processes add and pin old garbage while a third that collects it is killed: none is lost', async () => {
      const options = { ...bucket.options, prefix: nextPrefix() };
      const start = async () => startChildService(await temporaryDirectory(), options);
      const [one, two] = [await start(), await start()];
      const pinned = new Map<number, string>();
      for (let round = 0; round < perRun(2, 8); round++) {
        const numbers = Array.from({ length: 16 }, (_, i) => 4 * (100 * round + i));
        const first = new StorageClient({ url: one.url });
        for (const number of numbers) await first.add(contentOf(number), { pin: false });
        bucket.age(options.prefix);
        const collector = await start();
        let removed = 0;
        const collecting = (async () => {
          for await (const line of new StorageClient({ url: collector.url }).stream('repo/gc')) {
            expect(line).toBeDefined();
            if (++removed === 1 + 3 * round) await collector.kill();
          }
        })().catch(() => undefined);
        const adding = [one, two].map(async ({ url }, at) => {
          const client = new StorageClient({ url });
          for (const number of numbers.filter((_, i) => i % 2 === at))
            pinned.set(number, (await client.add(contentOf(number))).cid);
        });
        await Promise.all(adding);
        await collecting;
        await collector.kill();
      }
      await expectAll(two.url, pinned);
      for await (const line of new StorageClient({ url: one.url }).stream('repo/gc')) expect(line).toBeDefined();
      await expectAll(two.url, pinned);
      await Promise.all([one.stop(), two.stop()]);
    });
  });

  describe('a bucket that lies', () => {
    test.each([
      ['other bytes', (bytes: Buffer) => Buffer.from([bytes[0]! ^ 1, ...bytes.subarray(1)])],
      ['a part', (bytes: Buffer) => bytes.subarray(0, 100)],
      ['nothing', () => Buffer.alloc(0)],
    ])('%s of a block: refused, found by verify, repaired by another put', async (_name, wrong) => {
      const { a, b, folder } = openTwo();
      const { cid, bytes } = rawBlock(someBytes(3000));
      const key = cid.multihash.bytes;
      await a.put(key, bytes);
      const file = stored(folder, key);
      writeFileSync(file, wrong(readFileSync(file)));
      await expect(b.get(key, uncharged())).rejects.toThrow(DamagedBlockError);
      expect(await collect(damagedBlocks(b, uncharged()))).toHaveLength(1);
      await b.put(key, bytes);
      expect(Buffer.compare((await a.get(key, uncharged()))!, bytes)).toBe(0);
      expect(await collect(damagedBlocks(b, uncharged()))).toEqual([]);
    });

    test('other objects below the blocks are left alone', async () => {
      const { a, plain } = openTwo();
      await plain.put('blocks/note', Buffer.from('x'));
      await plain.put('blocks/AA/note.data', Buffer.from('x'));
      expect(await a.stat()).toMatchObject({ blocks: 0 });
      expect(await collect(a.sweep(NOTHING_LIVE))).toEqual([]);
      expect(await collect(plain.list('blocks/'))).toHaveLength(2);
    });
  });

  test('the bucket goes away and comes back: clear errors, and no acknowledged data is lost', async () => {
    const prefix = nextPrefix();
    const service = await startTestService({ shared: await bucket.open({ prefix }) });
    const client = new StorageClient({ url: service.url });
    const acknowledged = new Map<number, string>();
    for (const number of [1, 2, 3]) acknowledged.set(number, (await client.add(contentOf(number))).cid);
    expect(await service.problems()).toEqual([]);

    await bucket.leave();
    const refused = { kind: 'refused', status: 503, message: expect.stringMatching(/object store cannot be reached/) };
    await expect(client.add(contentOf(4))).rejects.toMatchObject(refused);
    await expect(client.read(acknowledged.get(1)!)).rejects.toMatchObject(refused);
    expect((await service.problems()).join()).toMatch(/object store cannot be reached/);

    await bucket.back();
    await expectAll(service.url, acknowledged);
    acknowledged.set(4, (await client.add(contentOf(4))).cid);
    await expectAll(service.url, acknowledged);
    await service.discard();
  });

  test('a missing bucket is reported, and does not count as an empty one', async () => {
    await expect(bucket.open({ bucket: 'nosuch' })).rejects.toThrow(/404 NoSuchBucket/);
  });

  test('kill -9 of one of two processes that add, pin and collect: no acknowledged data is lost', async () => {
    const acknowledged = await killBesideAnother(bucket, nextPrefix(), { killAfter: perRun([16], [16, 24]) });
    expect(acknowledged).toBeGreaterThanOrEqual(16);
  });
});
