import { connectRedis } from '../../src/service/runtime/redis';
import { type Multihash } from '../../src/service/storage/blocks/store';
import { Bucket, ObjectStoreError } from '../../src/service/storage/s3/bucket';
import { ObjectBlockStore } from '../../src/service/storage/s3/object-store';
import { SharedIndex } from '../../src/service/storage/s3/shared-index';
import { uniqueName } from '../../src/service/storage/s3/unique-name';
import { collect, someBytes } from './kit/content';
import { noBucket, startBucket, type TestBucket } from './kit/s3';
import { rawBlock } from './store.suite';

/** Starting services may take long on a busy machine. */
jest.setTimeout(300_000);

const KEEP_MS = 720_000;
const BEFORE_ALL = () => Promise.resolve();
const nothingLive = () => Promise.resolve(() => false);

type Step = (key: string) => Promise<void> | void;

/** Where a process can pause: around sending an object, before deleting one, after reading one or the list. */
type Steps = { beforePut: Step; afterPut: Step; beforeDelete: Step; afterGet: Step; afterList: () => Promise<void> };

/** A bucket whose user pauses at given steps, like a process that others overtake. */
class SteppedBucket extends Bucket {
  readonly steps: Steps = {
    beforePut: BEFORE_ALL,
    afterPut: BEFORE_ALL,
    beforeDelete: BEFORE_ALL,
    afterGet: BEFORE_ALL,
    afterList: BEFORE_ALL,
  };

  override async put(key: string, body: Uint8Array): Promise<void> {
    await this.steps.beforePut(key);
    await super.put(key, body);
    await this.steps.afterPut(key);
  }

  override async delete(key: string): Promise<void> {
    await this.steps.beforeDelete(key);
    await super.delete(key);
  }

  override async get(key: string, range?: { offset: number; length: number }): Promise<Buffer | undefined> {
    const found = await super.get(key, range);
    await this.steps.afterGet(key);
    return found;
  }

  override async *list(prefix: string): AsyncGenerator<string> {
    yield* super.list(prefix);
    await this.steps.afterList();
  }
}

/** A moment that one side waits for and the other side triggers. */
function moment(): { readonly comes: Promise<void>; readonly come: () => void } {
  let come: () => void = () => undefined;
  const comes = new Promise<void>((resolve) => {
    come = resolve;
  });
  return { comes, come };
}

const isIndex = (key: string) => key.endsWith('.index');
const isCar = (key: string) => key.endsWith('.car');

const maybe = noBucket === undefined ? describe : describe.skip;

maybe(`processes that overtake each other${noBucket === undefined ? '' : ` (${noBucket})`}`, () => {
  let bucket: TestBucket;
  let prefix: string;
  let count = 0;
  const opened: ObjectBlockStore[] = [];
  beforeAll(async () => {
    bucket = await startBucket();
  });
  beforeEach(() => {
    prefix = `race-${++count}/`;
  });
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
  });

  /** A process: its bucket, and how to open its store. */
  const newProcess = async () => {
    const own = new SteppedBucket({ ...bucket.options, prefix });
    const client = await connectRedis(bucket.redis.url, () => undefined);
    const index = await SharedIndex.open(client, prefix, KEEP_MS);
    const open = async () => {
      const options = { segmentBytes: 100_000, cacheBytes: 0, warn: () => undefined };
      const store = await ObjectBlockStore.open(own, index, options);
      opened.push(store);
      return store;
    };
    return { steps: own.steps, open, bucket: own };
  };
  const stored = async (store: ObjectBlockStore, length = 3000) => {
    const block = { ...rawBlock(someBytes(length)) };
    await store.put(block.cid, [block.bytes]);
    await store.commit();
    return { ...block, key: block.cid.multihash.bytes };
  };
  const onlyLive = (live: Multihash) => () => Promise.resolve((key: Multihash) => Buffer.compare(key, live) === 0);
  const expectThere = async (store: ObjectBlockStore, { key, bytes }: { key: Multihash; bytes: Uint8Array }) => {
    expect(Buffer.compare((await store.get(key))!, bytes)).toBe(0);
  };

  test('a block deleted while it is being sent stays deleted', async () => {
    const { steps, open } = await newProcess();
    const store = await open();
    const { cid, bytes } = rawBlock(someBytes(3000));
    const sending = moment();
    const goesOn = moment();
    steps.beforePut = async (key) => {
      if (!isCar(key)) return;
      sending.come();
      await goesOn.comes;
    };
    await store.put(cid, [bytes]);
    const committed = store.commit();
    await sending.comes;
    const deleted = store.delete(cid.multihash.bytes);
    goesOn.come();
    await committed;
    expect(await deleted).toBe(true);
    expect(await store.has(cid.multihash.bytes)).toBe(false);
    expect(await store.get(cid.multihash.bytes)).toBeUndefined();
  });

  test('a deletion does not remove what another request is about to report as stored', async () => {
    const store = await (await newProcess()).open();
    const { cid, bytes } = rawBlock(someBytes(3000));
    const session = store.begin();
    await session.touch(cid.multihash.bytes);
    await store.put(cid, [bytes]);
    await store.delete(cid.multihash.bytes).catch(() => undefined);
    await store.commit();
    await session.end();
    await expectThere(store, { key: cid.multihash.bytes, bytes });
  });

  test('a process starts while another one removes a segment: its blocks are not found, and can be put again', async () => {
    const one = await newProcess();
    const store = await one.open();
    const dead = await stored(store);
    const live = await stored(store);
    const two = await newProcess();
    const dropped = moment();
    const isRead = moment();
    one.steps.beforeDelete = async () => {
      dropped.come();
      await isRead.comes;
    };
    let swept: Promise<unknown> | undefined;
    // The starting process has listed the segments; now they are forgotten, and about to be deleted.
    two.steps.afterList = async () => {
      swept = collect(store.sweep(onlyLive(live.key)));
      await dropped.comes;
    };
    // It has read the index of one segment; now that segment is deleted.
    two.steps.afterGet = async (key) => {
      if (!isIndex(key)) return;
      isRead.come();
      await swept;
    };
    const opening = two.open();
    await Promise.race([opening, isRead.comes]);
    isRead.come();
    const late = await opening;
    await swept;
    expect(await late.has(dead.key)).toBe(false);
    await late.put(dead.cid, [dead.bytes]);
    await late.commit();
    await expectThere(store, dead);
    await expectThere(store, live);
  });

  test('a process starts while another one moves blocks: a block deleted meanwhile stays deleted', async () => {
    const one = await newProcess();
    const store = await one.open();
    const [dead, live, victim] = [await stored(store), await stored(store), await stored(store)];
    const two = await newProcess();
    let late: ObjectBlockStore | undefined;
    one.steps.afterPut = async (key) => {
      if (!isIndex(key) || late !== undefined) return;
      await store.delete(victim.key);
      late = await two.open();
    };
    const isLive = (key: Multihash) => Buffer.compare(key, dead.key) !== 0;
    await collect(store.sweep(() => Promise.resolve(isLive)));
    expect(late).toBeDefined();
    expect(await store.has(victim.key)).toBe(false);
    await expectThere(store, live);
  });

  test('a process dies after sending only the index of a segment: its blocks do not exist, and can be put again', async () => {
    const one = await newProcess();
    const store = await one.open();
    const { cid, bytes } = rawBlock(someBytes(3000));
    const arrived = moment();
    one.steps.afterPut = (key) => {
      if (isIndex(key)) arrived.come();
    };
    one.steps.beforePut = async (key) => {
      if (!isCar(key)) return;
      await arrived.comes;
      throw new ObjectStoreError('killed');
    };
    await store.put(cid, [bytes]);
    await expect(store.commit()).rejects.toThrow('killed');
    const next = await (await newProcess()).open();
    expect(await next.has(cid.multihash.bytes)).toBe(false);
    await next.put(cid, [bytes]);
    await next.commit();
    await expectThere(next, { key: cid.multihash.bytes, bytes });
  });

  test('a block that a request released during a collection can be deleted at once, and stays until then', async () => {
    const store = await (await newProcess()).open();
    const other = await (await newProcess()).open();
    const block = await stored(store);
    const swept = await collect(
      store.sweep(async () => {
        const session = other.begin();
        await session.touch(block.key);
        await expect(other.delete(block.key)).rejects.toThrow(/in use/);
        await session.end();
        return () => false;
      }),
    );
    expect(swept).toEqual([]);
    expect(await other.delete(block.key)).toBe(true);
    expect(await other.has(block.key)).toBe(false);
  });

  test('even while the collection is still running', async () => {
    const store = await (await newProcess()).open();
    const other = await (await newProcess()).open();
    const block = await stored(store);
    await collect(
      store.sweep(async () => {
        const session = other.begin();
        await session.touch(block.key);
        await session.end();
        expect(await other.delete(block.key)).toBe(true);
        return () => true;
      }),
    );
    expect(await store.has(block.key)).toBe(false);
  });

  const objectsOf = ({ bucket: own }: { bucket: Bucket }) => collect(own.list('segments/'));

  test('objects that a collection could not delete are deleted by the next one', async () => {
    const one = await newProcess();
    const store = await one.open();
    await stored(store);
    one.steps.beforeDelete = () => {
      throw new ObjectStoreError('away');
    };
    await expect(collect(store.sweep(nothingLive))).rejects.toThrow('away');
    expect((await objectsOf(one)).length).toBe(2);
    one.steps.beforeDelete = BEFORE_ALL;
    await collect(store.sweep(nothingLive));
    expect(await objectsOf(one)).toEqual([]);
  });

  test('an incomplete segment is deleted once nobody can still be sending it, and never counts afterwards', async () => {
    const one = await newProcess();
    const store = await one.open();
    const live = await stored(store);
    const whole = await objectsOf(one);
    const daysOld = (days: number) => uniqueName(Date.now() - days * 24 * 3600 * 1000);
    const halves = { young: `${daysOld(0.5)}.car`, car: `${daysOld(2)}.car`, index: `${daysOld(3)}.index` };
    const strange = 'not-of-ours.car';
    for (const name of [...Object.values(halves), strange]) await one.bucket.put(`segments/${name}`, Buffer.from('x'));
    await collect(store.sweep(onlyLive(live.key)));
    expect((await objectsOf(one)).sort()).toEqual([...whole, `segments/${halves.young}`, `segments/${strange}`].sort());
    await expectThere(store, live);
  });

  test('data that a collection could not store takes no space after the next one', async () => {
    const one = await newProcess();
    const store = await one.open();
    const [, live] = [await stored(store), await stored(store)];
    one.steps.beforePut = () => {
      throw new ObjectStoreError('away');
    };
    await expect(collect(store.sweep(onlyLive(live.key)))).rejects.toThrow('away');
    one.steps.beforePut = BEFORE_ALL;
    await collect(store.sweep(onlyLive(live.key)));
    await expectThere(store, live);
    await collect(store.sweep(nothingLive));
    expect(await store.stat()).toMatchObject({ blocks: 0, storedBytes: 0 });
  });
});
