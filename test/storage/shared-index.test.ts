import { connectRedis, type RedisClient } from '../../src/service/runtime/redis';
import { type IndexRecord } from '../../src/service/storage/blocks/segment';
import { InUseError, type Multihash } from '../../src/service/storage/blocks/store';
import { CommandError } from '../../src/service/storage/errors';
import { SharedIndex } from '../../src/service/storage/s3/shared-index';
import { noRedis, startRedis, type TestRedis } from '../service/support/redis';
import { collect, someBytes } from './kit/content';
import { rawBlock } from './store.suite';

const KEEP_MS = 720_000;
const nothingElse = () => Promise.resolve();

const newKey = (): Multihash => rawBlock(someBytes(100)).cid.multihash.bytes;
const recordOf = (key: Multihash, offset = 59): IndexRecord => ({ key, offset, length: 100, crc: 1 });
const hexOf = (keys: readonly Multihash[]) => keys.map((key) => Buffer.from(key).toString('hex')).sort();

const maybe = noRedis === undefined ? describe : describe.skip;

maybe(`the index that processes share${noRedis === undefined ? '' : ` (${noRedis})`}`, () => {
  let redis: TestRedis;
  let raw: RedisClient;
  let name: string;
  let count = 0;
  const opened: SharedIndex[] = [];
  beforeAll(async () => {
    redis = await startRedis();
    raw = await connectRedis(redis.url, () => undefined);
  });
  beforeEach(() => {
    name = `test-${++count}`;
  });
  afterEach(async () => {
    for (const index of opened.splice(0)) await index.close();
  });
  afterAll(() => raw?.close());

  /** Opens the index as another process would. */
  const open = async () => {
    const index = await SharedIndex.open(await connectRedis(redis.url, () => undefined), name, KEEP_MS);
    opened.push(index);
    return index;
  };
  const removedBy = async (index: SharedIndex, keys: readonly Multihash[]) => {
    const sweep = await index.beginSweep();
    const removed = await sweep.remove(keys);
    await sweep.end();
    return hexOf(removed);
  };
  const keyOf = (what: string) => `{keystead:storage:${name}}:${what}`;

  test('blocks used by two sessions of one process stay until both have ended', async () => {
    const [mine, other] = [await open(), await open()];
    const key = newKey();
    await mine.register('s', 1000, [recordOf(key)]);
    const [first, second] = [mine.begin(), mine.begin()];
    await first.touch(key);
    await second.touch(key);
    await first.end();
    expect(await removedBy(other, [key])).toEqual([]);
    await expect(other.remove(key, nothingElse)).rejects.toThrow(InUseError);
    await second.end();
    expect(await removedBy(other, [key])).toEqual(hexOf([key]));
  });

  test('a session that touches a block many times releases it once', async () => {
    const [mine, other] = [await open(), await open()];
    const key = newKey();
    await mine.register('s', 1000, [recordOf(key)]);
    const session = mine.begin();
    for (let time = 0; time < 3; time++) await session.touch(key);
    expect(await raw.sMembers(keyOf('processes'))).toHaveLength(1);
    await session.end();
    expect(await raw.sMembers(keyOf('processes'))).toEqual([]);
    expect(await raw.exists(keyOf('released'))).toBe(0);
    // The same goes for an entry left by a process that died.
    await raw.sAdd(keyOf('released'), Buffer.from(key).toString('base64'));
    expect(await removedBy(other, [key])).toEqual(hexOf([key]));
  });

  test('a process discards what its earlier sessions left behind', async () => {
    const index = await open();
    const session = index.begin();
    await session.touch(newKey());
    const [touched = ''] = await raw.keys(keyOf('touched:*'));
    await raw.zAdd(touched, { score: Date.now() - 2 * KEEP_MS, value: 'long ago' });
    await session.end();
    expect(await raw.exists(touched)).toBe(0);
  });

  test('every touch counts: a removal that began between two of them removes nothing', async () => {
    const [mine, other] = [await open(), await open()];
    const key = newKey();
    await mine.register('s', 1000, [recordOf(key)]);
    const session = mine.begin();
    await session.touch(key);
    await raw.del(await raw.keys(keyOf('touched:*')));
    const removal = other.remove(key, async () => {
      await session.touch(key);
    });
    await expect(removal).rejects.toThrow(InUseError);
    await session.end();
    expect(await other.remove(key, nothingElse)).toBe(true);
  });

  test("an emptied Redis learns again which blocks a process's sessions use", async () => {
    const [mine, other] = [await open(), await open()];
    const key = newKey();
    const session = mine.begin();
    await session.touch(key);
    await raw.flushAll();
    // Nothing was stored yet, so a collection may begin at once.
    for (const index of [mine, other]) await index.beginRun(false);
    await mine.register('s', 1000, [recordOf(key)]);
    expect(await removedBy(other, [key])).toEqual([]);
    await session.end();
    expect(await removedBy(other, [key])).toEqual(hexOf([key]));
  });

  test('while Redis may lack touches, nothing is removed, and the error says for how long', async () => {
    const index = await open();
    await index.beginRun(true);
    const key = newKey();
    await index.register('s', 1000, [recordOf(key)]);
    await expect(index.remove(key, nothingElse)).rejects.toThrow(/can be removed in 7[12]\d seconds/);
    await expect(index.beginSweep()).rejects.toThrow(/can be removed in 7[12]\d seconds/);
    expect(await index.find(key)).toBeDefined();
    // The same run again changes nothing.
    const since = await raw.get(keyOf('since'));
    await index.beginRun(true);
    expect(await raw.get(keyOf('since'))).toBe(since);
    expect(await index.remove(newKey(), nothingElse).catch((error: unknown) => error)).toBeInstanceOf(CommandError);
  });

  test('a removal leaves no trace, whether or not it removed anything', async () => {
    const index = await open();
    const key = newKey();
    await index.register('s', 1000, [recordOf(key)]);
    await expect(index.remove(key, () => Promise.reject(new Error('it is pinned')))).rejects.toThrow('it is pinned');
    expect(await raw.exists(keyOf('removals'))).toBe(0);
    expect(await index.remove(key, nothingElse)).toBe(true);
    expect(await index.remove(key, nothingElse)).toBe(false);
    expect(await raw.exists(keyOf('removals'))).toBe(0);
  });

  test('a failed removal does not cancel another one', async () => {
    const [mine, other] = [await open(), await open()];
    const key = newKey();
    await mine.register('s', 1000, [recordOf(key)]);
    let fail: (error: Error) => void = () => undefined;
    let begun: () => void = () => undefined;
    const beginning = new Promise<void>((resolve) => (begun = resolve));
    const first = mine.remove(key, () => {
      begun();
      return new Promise((_, reject) => (fail = reject));
    });
    await beginning;
    const second = other.remove(key, async () => {
      fail(new Error('it is pinned'));
      await expect(first).rejects.toThrow('it is pinned');
    });
    expect(await second).toBe(true);
    expect((await mine.segments()).map(({ liveBytes }) => liveBytes)).toEqual([0]);
  });

  test('a block that is registered again stays in its place', async () => {
    const index = await open();
    const key = newKey();
    await index.register('first', 1000, [recordOf(key)]);
    expect(await index.register('second', 1000, [recordOf(key, 200)])).toBe(true);
    expect(await index.find(key)).toMatchObject({ segment: 'first', offset: 59 });
    const live = (await index.segments()).map(({ segment, liveBytes }) => [segment, liveBytes]);
    expect(Object.fromEntries(live)).toEqual({ first: 100, second: 0 });
  });

  test('of two concurrent removals only one removes', async () => {
    const [mine, other] = [await open(), await open()];
    const key = newKey();
    await mine.register('s', 1000, [recordOf(key)]);
    const first = mine.remove(key, async () => {
      expect(await other.remove(key, nothingElse)).toBe(true);
    });
    await expect(first).rejects.toThrow(InUseError);
    expect(await raw.exists(keyOf('removals'))).toBe(0);
  });

  test('an empty segment is registered; a dropped one does not come back', async () => {
    const index = await open();
    expect(await index.register('empty', 70, [])).toBe(true);
    expect(await index.segments()).toEqual([{ segment: 'empty', bytes: 70, liveBytes: 0 }]);
    const sweep = await index.beginSweep();
    expect(await sweep.drop('empty')).toBe(true);
    await sweep.end();
    expect([await raw.exists(keyOf('sizes')), await raw.exists(keyOf('live'))]).toEqual([0, 0]);
    const key = newKey();
    expect(await index.register('empty', 70, [recordOf(key)])).toBe(false);
    expect(await index.find(key)).toBeUndefined();
    expect(await index.segments()).toEqual([]);
    expect(await index.dropped()).toEqual(['empty']);
    // After that time no process can still know the segment.
    const eightDays = 8 * 24 * 3600 * 1000;
    await raw.zAdd(keyOf('dropped'), { score: Date.now() - eightDays, value: 'old' });
    await (await index.beginSweep()).end();
    expect(await index.dropped()).toEqual(['empty']);
  });

  test('more blocks than fit in one call: each is registered, listed, moved and removed once', async () => {
    const index = await open();
    const keys = Array.from({ length: 2500 }, newKey);
    await index.register(
      'old',
      1_000_000,
      keys.map((key, at) => recordOf(key, at * 200)),
    );
    expect(await index.count()).toBe(2500);
    const told = (await collect(index.keys())).flat();
    expect([...new Set(hexOf(told))]).toEqual(hexOf(keys));
    const sweep = await index.beginSweep();
    const moved = await Promise.all(
      keys.map(async (key, at) => ({ record: recordOf(key, at * 100), from: (await index.find(key))! })),
    );
    await sweep.reserve('new');
    expect(await index.segments()).toContainEqual({ segment: 'new', bytes: 0, liveBytes: 0 });
    expect(await sweep.drop('old')).toBe(false);
    await sweep.move('new', 500_000, moved);
    expect(await index.segments()).toContainEqual({ segment: 'new', bytes: 500_000, liveBytes: 250_000 });
    expect(await index.find(keys[2499]!)).toMatchObject({ segment: 'new', offset: 249_900 });
    expect(await sweep.drop('old')).toBe(true);
    expect(hexOf(await sweep.remove(keys))).toEqual(hexOf(keys));
    expect(await index.segments()).toEqual([{ segment: 'new', bytes: 500_000, liveBytes: 0 }]);
    await sweep.end();
  });

  test('blocks removed or moved since they were read are not moved', async () => {
    const index = await open();
    const [gone, other] = [newKey(), newKey()];
    await index.register('old', 1000, [recordOf(gone, 0), recordOf(other, 200)]);
    const moved = [
      { record: recordOf(gone, 0), from: (await index.find(gone))! },
      { record: recordOf(other, 100), from: (await index.find(other))! },
    ];
    await index.forgetDamaged(other, moved[1]!.from);
    await index.register('third', 1000, [recordOf(other, 500)]);
    const sweep = await index.beginSweep();
    await sweep.remove([gone]);
    await sweep.move('new', 1000, moved);
    await sweep.end();
    expect(await index.find(gone)).toBeUndefined();
    expect(await index.find(other)).toMatchObject({ segment: 'third', offset: 500 });
    expect(await index.forgetDamaged(other, moved[1]!.from)).toBe(false);
    expect((await index.segments()).map(({ liveBytes }) => liveBytes).sort((a, b) => a - b)).toEqual([0, 0, 100]);
  });

  test('a sweep that another has replaced does nothing more, and reports it', async () => {
    const [mine, other] = [await open(), await open()];
    const key = newKey();
    await mine.register('s', 1000, [recordOf(key)]);
    await mine.register('empty', 70, []);
    const sweep = await mine.beginSweep();
    await expect(other.beginSweep()).rejects.toThrow('a garbage collection is already running');
    // This happens to a process that is paused for longer than a sweep's lifetime.
    await raw.del(keyOf('sweep'));
    const later = await other.beginSweep();
    const from = (await mine.find(key))!;
    for (const step of [
      () => sweep.remove([key]),
      () => sweep.reserve('new'),
      () => sweep.move('new', 1000, [{ record: recordOf(key), from }]),
      () => sweep.drop('empty'),
    ]) {
      await expect(step()).rejects.toThrow('the garbage collection was interrupted; start it again');
    }
    await sweep.end();
    expect(hexOf(await later.remove([key]))).toEqual(hexOf([key]));
    await later.end();
    expect(await raw.exists(keyOf('sweep'))).toBe(0);
  });

  test('a sweep lasts as long as its process lives, and not much longer', async () => {
    jest.useFakeTimers({
      doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance', 'Date', 'setTimeout'],
    });
    try {
      const index = await open();
      const sweep = await index.beginSweep();
      const left = () => raw.pTTL(keyOf('sweep'));
      expect(await left()).toBeGreaterThan(20_000);
      await raw.pExpire(keyOf('sweep'), 5_000);
      jest.advanceTimersByTime(10_000);
      // On the same connection as the renewal, and therefore after it.
      await index.count();
      expect(await left()).toBeGreaterThan(20_000);
      // The sweep of another process that has taken over is not renewed.
      await raw.set(keyOf('sweep'), 'another', { PX: 5_000 });
      jest.advanceTimersByTime(10_000);
      await index.count();
      expect(await left()).toBeLessThanOrEqual(5_000);
      await sweep.end();
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });

  test('blocks used by a dead process are released after a while', async () => {
    const [dead, other] = [await open(), await open()];
    const key = newKey();
    await other.register('s', 1000, [recordOf(key)]);
    await dead.begin().touch(key);
    const [touched = ''] = await raw.keys(keyOf('touched:*'));
    expect(await removedBy(other, [key])).toEqual([]);
    expect(await raw.exists(touched)).toBe(1);
    const [member] = await raw.zRange(touched, 0, -1);
    await raw.zAdd(touched, { score: Date.now() - 2 * KEEP_MS, value: member! });
    expect(await removedBy(other, [key])).toEqual(hexOf([key]));
    expect(await raw.exists(touched)).toBe(0);
    expect(await raw.sMembers(keyOf('processes'))).toEqual([]);
  });

  test('released blocks are not kept from the next sweep', async () => {
    const [mine, other] = [await open(), await open()];
    const key = newKey();
    await mine.register('s', 1000, [recordOf(key)]);
    const sweep = await other.beginSweep();
    const session = mine.begin();
    await session.touch(key);
    await session.end();
    expect(await sweep.remove([key])).toEqual([]);
    await sweep.end();
    expect(await raw.exists(keyOf('released'))).toBe(0);
    expect(await removedBy(other, [key])).toEqual(hexOf([key]));
  });

  test('an unreachable index is reported', async () => {
    const client = await connectRedis(redis.url, () => undefined);
    const index = await SharedIndex.open(client, name, KEEP_MS);
    await index.close();
    await expect(index.find(newKey())).rejects.toThrow('the block index in Redis cannot be reached');
    await expect(index.beginSweep()).rejects.toThrow('the block index in Redis cannot be reached');
    await index.close();
  });
});
