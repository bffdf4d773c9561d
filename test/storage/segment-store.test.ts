import fs, { appendFile, copyFile, open, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { type CID } from 'multiformats/cid';
import { BlockIndex } from '../../src/service/storage/blocks/block-index';
import { rawCid } from '../../src/service/storage/blocks/raw-cid';
import { SegmentStore } from '../../src/service/storage/blocks/segment-store';
import { DamagedBlockError } from '../../src/service/storage/blocks/store';
import { readCar } from '../../src/service/storage/dag/car';
import { digestOf } from '../../src/service/storage/hashes';
import { Journal } from '../../src/service/storage/journal';
import { IF_TOLD, openFilesOf, tellsOpenFiles } from '../service/support/open-files';
import { someBytes } from './kit/content';
import { temporaryDirectory } from './kit/service';
import { describeStore, rawBlock } from './store.suite';

const OPTIONS = { durable: true, segmentBytes: 100_000, cacheBytes: 0 };

async function openIn(directory: string, warnings: string[] = []) {
  return SegmentStore.open(directory, { ...OPTIONS, warn: (message) => warnings.push(message) });
}

describeStore('the embedded store', async () => {
  const directory = await temporaryDirectory();
  return { store: await openIn(directory), reopen: () => openIn(directory) };
});

describeStore('the embedded store, after losing its index files', async () => {
  const directory = await temporaryDirectory();
  return {
    store: await openIn(directory),
    reopen: async () => {
      for (const name of await readdir(directory)) {
        if (name.endsWith('.index')) await writeFile(join(directory, name), 'not an index');
      }
      return openIn(directory);
    },
  };
});

test('a block removed during a read does not return from the cache', async () => {
  const store = await SegmentStore.open(await temporaryDirectory(), {
    ...OPTIONS,
    cacheBytes: 1 << 20,
    warn: () => undefined,
  });
  const blocks = [rawBlock(someBytes(3000)), rawBlock(someBytes(3000))];
  for (const { cid, bytes } of blocks) await store.put(cid, [bytes]);
  const [removed, collected] = blocks.map(({ cid }) => cid.multihash.bytes);
  const reading = [store.get(removed!), store.get(collected!)];
  await store.delete(removed!);
  for await (const key of store.sweep(() => Promise.resolve(() => false))) void key;
  await Promise.all(reading);
  expect([await store.get(removed!), await store.get(collected!)]).toEqual([undefined, undefined]);
  await store.close();
});

describe('data that a killed process may have left in memory is on disk before it is acknowledged', () => {
  /** The names of the files that are synced from now on. */
  const watchSyncs = (): Set<string> => {
    const synced = new Set<string>();
    const openFile = fs.open;
    jest.spyOn(fs, 'open').mockImplementation(async (path, flags, mode) => {
      const handle = await openFile(path, flags, mode);
      const datasync = handle.datasync.bind(handle);
      handle.datasync = async () => {
        await datasync();
        synced.add(basename(String(path)));
      };
      return handle;
    });
    return synced;
  };
  afterEach(() => {
    jest.restoreAllMocks();
  });

  test.each([
    ['in the segment that takes new blocks', [], ['00000002.car']],
    ['in one that was to be completed', ['00000001.index'], ['00000001.car', '00000002.car']],
  ])('a block %s', async (_name, lost, expected) => {
    const directory = await temporaryDirectory();
    const killed = await openIn(directory);
    const blocks = [rawBlock(someBytes(OPTIONS.segmentBytes)), rawBlock(someBytes(10))];
    for (const { cid, bytes } of blocks) await killed.put(cid, [bytes]);
    const left = await temporaryDirectory();
    for (const name of await readdir(directory)) {
      if (!lost.includes(name as never)) await copyFile(join(directory, name), join(left, name));
    }
    await killed.close();
    const synced = watchSyncs();
    const store = await openIn(left);
    for (const { cid, bytes } of blocks) await store.put(cid, [bytes]);
    await store.commit();
    expect([...synced].sort()).toEqual(expected);
    await store.close();
  });

  test('a line of a journal', async () => {
    const path = join(await temporaryDirectory(), 'j');
    const killed = await Journal.open(path, false, () => undefined);
    await killed.append([1]);
    await killed.close();
    const synced = watchSyncs();
    const values: unknown[] = [];
    const journal = await Journal.open(path, true, (value) => values.push(value));
    // An empty append waits for existing data to be on disk.
    await journal.append([]);
    expect([values, [...synced]]).toEqual([[1], ['j']]);
    await journal.close();
  });
});

test.each([
  ['small', 1000],
  ['large enough to go past the page cache', 300_000],
])('data lost by the disk is not found by the next process, and the rest is; blocks %s', async (_name, length) => {
  const openFile = fs.open;
  let loses = false;
  jest.spyOn(fs, 'open').mockImplementation(async (path, flags, mode) => {
    const handle = await openFile(path, flags, mode);
    const datasync = handle.datasync.bind(handle);
    handle.datasync = () =>
      loses ? Promise.reject(Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' })) : datasync();
    return handle;
  });
  const directory = await temporaryDirectory();
  const warnings: string[] = [];
  const options = { ...OPTIONS, segmentBytes: 10_000_000, warn: (message: string) => warnings.push(message) };
  const blocks = Array.from({ length: 4 }, () => rawBlock(someBytes(length)));
  const put = async (store: SegmentStore, { cid, bytes }: (typeof blocks)[number]) => {
    await store.put(cid, [bytes]);
    await store.commit();
  };
  const first = await SegmentStore.open(directory, options);
  await put(first, blocks[0]!);
  await first.close();
  const second = await SegmentStore.open(directory, options);
  await put(second, blocks[1]!);
  loses = true;
  const lost = [put(second, blocks[2]!), put(second, blocks[3]!)];
  for (const { status } of await Promise.allSettled(lost)) expect(status).toBe('rejected');
  await second.close();
  loses = false;
  const third = await SegmentStore.open(directory, options);
  const found = await Promise.all(blocks.map(({ cid }) => third.get(cid.multihash.bytes)));
  expect(found.map((bytes, index) => bytes && Buffer.compare(bytes, blocks[index]!.bytes))).toEqual([
    0,
    0,
    undefined,
    undefined,
  ]);
  expect(warnings).toEqual([]);
  await third.close();
  jest.restoreAllMocks();
});

describe('closing the embedded store with a full segment', () => {
  const filled = async () => {
    const directory = await temporaryDirectory();
    const store = await openIn(directory);
    const { cid, bytes } = rawBlock(someBytes(OPTIONS.segmentBytes));
    await store.put(cid, [bytes]);
    const late = rawBlock(someBytes(10));
    return { directory, store, putLate: () => store.put(late.cid, [late.bytes]) };
  };
  const expectNoneOpen = (directory: string) => {
    if (tellsOpenFiles) expect(openFilesOf(directory)).toEqual([]);
  };

  test(`a later put does not start a segment${IF_TOLD}`, async () => {
    const { directory, store, putLate } = await filled();
    await store.close();
    const files = await readdir(directory);
    await expect(putLate()).rejects.toThrow('the store is closed');
    expect(await readdir(directory)).toEqual(files);
    expectNoneOpen(directory);
  });

  test(`while the next one is being started, which fails: no file stays open${IF_TOLD}`, async () => {
    const { directory, store, putLate } = await filled();
    let closed: Promise<void> | undefined;
    const opened = jest.spyOn(fs, 'open').mockImplementationOnce(async () => {
      // The step that starts the segment must be over.
      await Promise.resolve();
      closed = store.close();
      throw new Error('no more files');
    });
    await expect(putLate()).rejects.toThrow('no more files');
    opened.mockRestore();
    await closed;
    expect(closed).toBeDefined();
    expectNoneOpen(directory);
  });
});

describe('the embedded store after damage', () => {
  const filled = async () => {
    const directory = await temporaryDirectory();
    const store = await openIn(directory);
    const blocks = Array.from({ length: 10 }, () => rawBlock(someBytes(3000)));
    for (const { cid, bytes } of blocks) await store.put(cid, [bytes]);
    await store.commit();
    return { directory, store, blocks, segment: join(directory, '00000001.car') };
  };

  test.each([
    ['cut in the last block', 1, 9],
    ['cut in the framing of the last block', 3010, 9],
    ['cut at the end of a block', 3038, 9],
    ['cut in the middle', 15_000, 5],
  ])('%s: the rest is intact, and writing continues', async (_name, cut, whole) => {
    const { directory, store, blocks, segment } = await filled();
    await store.close();
    await truncate(segment, (await readFile(segment)).length - cut);
    const warnings: string[] = [];
    const again = await openIn(directory, warnings);
    expect((await again.stat()).blocks).toBe(whole);
    for (const { cid, bytes } of blocks.slice(0, whole)) {
      expect(Buffer.compare((await again.get(cid.multihash.bytes))!, bytes)).toBe(0);
    }
    for (const { cid, bytes } of blocks) await again.put(cid, [bytes]);
    await again.commit();
    await again.close();
    const third = await openIn(directory);
    expect((await third.stat()).blocks).toBe(10);
    await third.close();
  });

  test('without an index file, a record whose length spans two scan windows is found', async () => {
    const directory = await temporaryDirectory();
    const options = { ...OPTIONS, segmentBytes: 8 << 20 };
    const store = await SegmentStore.open(directory, { ...options, warn: () => undefined });
    // Each block is preceded by 39 bytes, so the first four records end one byte before the end of a window.
    const lengths = [...Array<number>(3).fill((1 << 20) - 39), (1 << 20) - 40, 3000, 3000];
    const blocks = lengths.map((length) => rawBlock(someBytes(length)));
    for (const { cid, bytes } of blocks) await store.put(cid, [bytes]);
    await store.commit();
    const left = await killed(directory);
    await store.close();
    const warnings: string[] = [];
    const again = await SegmentStore.open(left, { ...options, warn: (message) => warnings.push(message) });
    await expectAll(again, blocks);
    await again.close();
    expect(warnings).toEqual([]);
  });

  test('garbage after the last block is truncated', async () => {
    const { directory, store, segment } = await filled();
    await store.close();
    const size = (await readFile(segment)).length;
    await appendFile(segment, someBytes(5000));
    const warnings: string[] = [];
    const again = await openIn(directory, warnings);
    expect((await again.stat()).blocks).toBe(10);
    expect(warnings.join()).toMatch(/the rest is not used/);
    expect((await readFile(segment)).length).toBe(size);
    await again.close();
  });

  test('a flipped bit is detected on reading, and putting the block again repairs it', async () => {
    const { store, blocks, segment } = await filled();
    const handle = await open(segment, 'r+');
    const content = await readFile(segment);
    const { cid, bytes } = blocks[4]!;
    const at = content.indexOf(bytes) + 1234;
    await handle.write(Buffer.from([content[at]! ^ 1]), 0, 1, at);
    await handle.close();
    await expect(store.get(cid.multihash.bytes)).rejects.toThrow(DamagedBlockError);
    expect(await store.has(cid.multihash.bytes)).toBe(false);
    await store.put(cid, [bytes]);
    expect(Buffer.compare((await store.get(cid.multihash.bytes))!, bytes)).toBe(0);
    expect((await store.stat()).damaged).toBe(1);
    await store.close();
  });

  test('a silently damaged block is not mistaken for a copy of a block being put', async () => {
    const { store, blocks, segment } = await filled();
    const content = await readFile(segment);
    const { cid, bytes } = blocks[7]!;
    const handle = await open(segment, 'r+');
    await handle.write(Buffer.alloc(10), 0, 10, content.indexOf(bytes) + 20);
    await handle.close();
    await store.put(cid, [bytes]);
    await store.commit();
    expect(Buffer.compare((await store.get(cid.multihash.bytes))!, bytes)).toBe(0);
    await store.close();
  });

  test('a damaged block is forgotten once, however many read it at the same time', async () => {
    const { store, blocks, segment } = await filled();
    const { cid, bytes } = blocks[3]!;
    const handle = await open(segment, 'r+');
    await handle.write(Buffer.alloc(10), 0, 10, (await readFile(segment)).indexOf(bytes) + 20);
    await handle.close();
    const reads = Array.from({ length: 3 }, () => store.get(cid.multihash.bytes));
    for (const read of await Promise.allSettled(reads))
      expect(read).toMatchObject({ reason: expect.any(DamagedBlockError) });
    expect(await store.stat()).toMatchObject({ blocks: 9, blockBytes: 9 * 3000, damaged: 1 });
    await store.close();
  });

  test('verify names the damaged blocks', async () => {
    const { store, blocks, segment } = await filled();
    const content = await readFile(segment);
    const handle = await open(segment, 'r+');
    for (const index of [2, 5]) await handle.write(Buffer.alloc(9), 0, 9, content.indexOf(blocks[index]!.bytes));
    await handle.close();
    const found: string[] = [];
    for await (const cid of store.verify()) found.push(cid.toString());
    expect(found).toEqual([blocks[2]!.cid.toString(), blocks[5]!.cid.toString()]);
    await store.close();
  });

  /** A copy of the files as a killed process leaves them, without what closing writes. */
  const killed = async (directory: string) => {
    const left = await temporaryDirectory();
    for (const name of await readdir(directory)) await copyFile(join(directory, name), join(left, name));
    return left;
  };
  const expectAll = async (store: SegmentStore, blocks: readonly { cid: CID; bytes: Uint8Array }[]) => {
    for (const { cid, bytes } of blocks) {
      const got = await store.get(cid.multihash.bytes);
      expect(got && Buffer.compare(got, bytes)).toBe(0);
    }
  };
  const flip = async (path: string, at: number) => {
    const handle = await open(path, 'r+');
    const byte = Buffer.alloc(1);
    await handle.read(byte, 0, 1, at);
    await handle.write(Buffer.from([byte[0]! ^ 0x11]), 0, 1, at);
    await handle.close();
  };

  test('the index file of a truncated segment does not affect later writes', async () => {
    const { directory, store, segment } = await filled();
    await store.close();
    await truncate(segment, (await readFile(segment)).length - 15_000);
    const again = await openIn(directory);
    const added = Array.from({ length: 10 }, () => rawBlock(someBytes(2000)));
    for (const { cid, bytes } of added) await again.put(cid, [bytes]);
    await again.commit();
    const third = await openIn(await killed(directory));
    await expectAll(third, added);
    await third.close();
    await again.close();
  });

  test('a place that was deleted and then truncated can be reused', async () => {
    const { directory, store, blocks, segment } = await filled();
    const { cid, bytes } = blocks.at(-1)!;
    await store.delete(cid.multihash.bytes);
    await store.close();
    await truncate(segment, (await readFile(segment)).length - 3000);
    const again = await openIn(directory);
    await again.put(cid, [bytes]);
    await again.commit();
    await again.close();
    const third = await openIn(directory);
    await expectAll(third, blocks);
    await third.close();
  });

  describe.each([
    ['the length', 0],
    ['the version of the CID', 2],
    ['the hash function', 4],
    ['the digest', 20],
  ])('a flipped byte in %s of a record', (_name, byte) => {
    const RECORD = 3000 + 38;
    const at = 18 + 3 * RECORD + byte;

    test('costs only that block if a crash left no index file', async () => {
      const { directory, store, blocks } = await filled();
      const left = await killed(directory);
      await store.close();
      await flip(join(left, '00000001.car'), at);
      const again = await openIn(left);
      await expectAll(
        again,
        blocks.filter((_block, index) => index !== 3),
      );
      expect(await again.has(blocks[3]!.cid.multihash.bytes)).toBe(false);
      await again.put(blocks[3]!.cid, [blocks[3]!.bytes]);
      await again.commit();
      await again.close();
      const third = await openIn(left);
      await expectAll(third, blocks);
      await third.close();
    });

    test('costs nothing if the index file exists: not reading, not verifying, not collecting', async () => {
      const { directory, store, blocks, segment } = await filled();
      await store.close();
      await flip(segment, at);
      const again = await openIn(directory);
      await expectAll(again, blocks);
      const broken: string[] = [];
      for await (const cid of again.verify()) broken.push(cid.toString());
      // If the damaged CID is still readable, the block does not match the CID in its own record.
      expect(broken.filter((cid) => cid !== blocks[3]!.cid.toString())).toEqual([]);
      const kept = blocks.slice(3);
      const live = new Set(kept.map(({ cid }) => cid.toString()));
      const isLive = (key: Uint8Array) => live.has(rawCid(key).toString());
      for await (const key of again.sweep(() => Promise.resolve(isLive))) void key;
      await expectAll(again, kept);
      await again.close();
      const third = await openIn(directory);
      await expectAll(third, kept);
      expect((await third.stat()).blocks).toBe(kept.length);
      await third.close();
    });
  });

  test('a segment is a CAR file', async () => {
    const { store, blocks, segment } = await filled();
    await store.close();
    const bytes = await readFile(segment);
    const limits = { blockBytes: 1 << 20, blocks: 100, tooBig: () => new Error('too big') };
    const source = (async function* () {
      yield await Promise.resolve(bytes);
    })();
    const { roots, blocks: read } = await readCar(source, limits);
    const cids: string[] = [];
    for await (const { cid } of read) cids.push(cid.toString());
    expect(roots).toEqual([]);
    expect(cids).toEqual(blocks.map(({ cid }) => cid.toString()));
  });
});

describe('a journal', () => {
  const replayed = async (path: string) => {
    const values: unknown[] = [];
    const journal = await Journal.open(path, true, (value) => values.push(value));
    await journal.close();
    return values;
  };

  test('loses nothing but a torn tail', async () => {
    const path = join(await temporaryDirectory(), 'j');
    const journal = await Journal.open(path, true, () => undefined);
    await journal.append([{ a: 1 }, 'two']);
    await Promise.all([3, 4, 5].map((value) => journal.append([value])));
    await journal.close();
    expect(await replayed(path)).toEqual([{ a: 1 }, 'two', 3, 4, 5]);
    await appendFile(path, 'deadbeef {"tor');
    expect(await replayed(path)).toEqual([{ a: 1 }, 'two', 3, 4, 5]);
    expect((await readFile(path, 'utf8')).endsWith('5\n')).toBe(true);
    await appendFile(path, 'deadbeef "bad line"\n');
    expect(await replayed(path)).toEqual([{ a: 1 }, 'two', 3, 4, 5]);
  });

  test('refuses to open with damage in the middle', async () => {
    const path = join(await temporaryDirectory(), 'j');
    const line = (text: string) => `${crc32(text).toString(16).padStart(8, '0')} ${text}\n`;
    await writeFile(path, `${line('1')}00000000 2\n${line('3')}`);
    await expect(replayed(path)).rejects.toThrow(/is damaged at byte/);
  });
});

test('the index keeps every key through growth and deletion', () => {
  const index = new BlockIndex();
  const keys = Array.from({ length: 5000 }, (_, value) => digestOf(0x12, Buffer.from(String(value))).bytes);
  for (const [offset, key] of keys.entries()) index.set(key, { segment: 1, offset, length: 1, crc: offset });
  for (const [offset, key] of keys.entries()) if (offset % 3 === 0) index.delete(key);
  for (const [offset, key] of keys.entries())
    if (offset % 6 === 0) index.set(key, { segment: 2, offset, length: 2, crc: 0 });
  for (const [offset, key] of keys.entries()) {
    const expected = offset % 6 === 0 ? 2 : offset % 3 === 0 ? undefined : 1;
    expect(index.get(key)?.segment).toBe(expected);
  }
  expect([...index.keys()].length).toBe(index.size);
});

test('the index keeps one place per key: the latest', () => {
  const index = new BlockIndex();
  for (const code of [0x12, 0x13]) {
    const key = digestOf(code, Buffer.from('twice')).bytes;
    for (const segment of [1, 2]) index.set(key, { segment, offset: 3, length: 4, crc: 5 });
    expect(index.get(key)).toEqual({ segment: 2, offset: 3, length: 4, crc: 5 });
    expect(index.delete(key)).toBe(true);
    expect([index.get(key), index.size]).toEqual([undefined, 0]);
  }
});
