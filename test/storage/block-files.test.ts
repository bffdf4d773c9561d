import fs, { copyFile, open, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { CID } from 'multiformats/cid';
import { AppendFile } from '../../src/service/storage/blocks/append-file';
import { SegmentStore } from '../../src/service/storage/blocks/segment-store';
import { decodeVarint, encodeVarint } from '../../src/service/storage/blocks/varint';
import { IF_TOLD, openFilesOf, tellsOpenFiles } from '../service/support/open-files';
import { collect, someBytes } from './kit/content';
import { post, send } from './kit/requests';
import { startTestService, temporaryDirectory } from './kit/service';
import { rawBlock } from './store.suite';

const OPTIONS = { durable: true, segmentBytes: 20_000, cacheBytes: 0 };
const openIn = (directory: string, warnings: string[] = []) =>
  SegmentStore.open(directory, { ...OPTIONS, warn: (message) => warnings.push(message) });

type Block = { readonly cid: CID; readonly bytes: Uint8Array };

async function putAll(store: SegmentStore, blocks: readonly Block[]): Promise<void> {
  for (const { cid, bytes } of blocks) await store.put(cid, [bytes]);
  await store.commit();
}
const someBlocks = (count: number, length = 3000): Block[] =>
  Array.from({ length: count }, () => rawBlock(someBytes(length)));
const isOneOf = (blocks: readonly Block[]) => (key: Uint8Array) =>
  blocks.some(({ cid }) => Buffer.compare(cid.multihash.bytes, key) === 0);
const sweep = (store: SegmentStore, live: readonly Block[]) =>
  collect(store.sweep(() => Promise.resolve(isOneOf(live))));
async function expectAll(store: SegmentStore, blocks: readonly Block[]): Promise<void> {
  for (const { cid, bytes } of blocks) expect(Buffer.compare((await store.get(cid.multihash.bytes))!, bytes)).toBe(0);
}

afterEach(() => {
  jest.restoreAllMocks();
});

(tellsOpenFiles ? test : test.skip)(`no file stays open: not of a collection, not after a stop${IF_TOLD}`, async () => {
  const service = await startTestService({ segmentBytes: 20_000 });
  const put = async (content: Uint8Array) => {
    const { body } = await send(service, 'block/put', { content });
    return (JSON.parse(body.toString()) as { Key: string }).Key;
  };
  const keys: string[] = [];
  for (let index = 0; index < 24; index++) keys.push(await put(someBytes(3000)));
  for (const key of keys.filter((_key, index) => index % 4 === 0)) await post(service, `pin/add?arg=${key}`);
  const reading = keys.map((key) => post(service, `block/get?arg=${key}`));
  expect((await post(service, 'repo/gc')).status).toBe(200);
  await Promise.all(reading);
  const segments = (await readdir(join(service.dataDir, 'blocks'))).filter((name) => name.endsWith('.car'));
  expect(openFilesOf(join(service.dataDir, 'blocks')).sort()).toEqual([...segments, 'removed.journal'].sort());
  await service.stop();
  expect(openFilesOf(service.dataDir)).toEqual([]);
  // The same holds for a service that opens existing segments.
  const again = await startTestService({ dataDir: service.dataDir, segmentBytes: 20_000 });
  expect(openFilesOf(join(service.dataDir, 'blocks')).sort()).toEqual([...segments, 'removed.journal'].sort());
  await again.stop();
  expect(openFilesOf(service.dataDir)).toEqual([]);
  await service.discard();
});

test('a block being read when its segment is deleted is read to the end, and then the file is closed', async () => {
  const { open: openFile } = fs;
  let held: Promise<void> | undefined;
  const closed: string[] = [];
  jest.spyOn(fs, 'open').mockImplementation(async (path, flags, mode) => {
    const handle = await openFile(path, flags, mode);
    const read = handle.read.bind(handle) as (...args: unknown[]) => Promise<never>;
    const close = handle.close.bind(handle);
    handle.read = (async (...args: unknown[]) => {
      const wait = held;
      held = undefined;
      await wait;
      return read(...args);
    }) as never;
    handle.close = async () => {
      await close();
      closed.push(basename(String(path)));
    };
    return handle;
  });
  const directory = await temporaryDirectory();
  const store = await openIn(directory);
  const blocks = someBlocks(10);
  await putAll(store, blocks);
  let release: () => void = () => undefined;
  held = new Promise((resolve) => (release = resolve));
  const reading = store.get(blocks[0]!.cid.multihash.bytes);
  // A read begins a few turns after it is requested.
  while (held !== undefined) await setImmediate();
  await sweep(store, blocks.slice(3));
  expect([await readdir(directory), closed]).toEqual([
    expect.not.arrayContaining(['00000001.car']),
    expect.not.arrayContaining(['00000001.car']),
  ]);
  release();
  expect(Buffer.compare((await reading)!, blocks[0]!.bytes)).toBe(0);
  expect(closed).toContain('00000001.car');
  await store.close();
});

test('a file is not closed during a sync', async () => {
  const { open: openFile } = fs;
  const done: string[] = [];
  let sync: () => void = () => undefined;
  jest.spyOn(fs, 'open').mockImplementationOnce(async (...args) => {
    const handle = await openFile(...args);
    const close = handle.close.bind(handle);
    const datasync = handle.datasync.bind(handle);
    handle.datasync = async () => {
      await new Promise<void>((resolve) => (sync = resolve));
      await datasync();
      done.push('synced');
    };
    handle.close = async () => {
      await close();
      done.push('closed');
    };
    return handle;
  });
  const file = await AppendFile.open(join(await temporaryDirectory(), 'file'), 0, true);
  await file.append([Buffer.from('a')]);
  const synced = file.sync();
  const closed = file.close();
  // Gives a close enough time to happen.
  await stat('/');
  await (await open('/dev/null')).close();
  sync();
  await Promise.all([synced, closed]);
  expect(done).toEqual(['synced', 'closed']);
});

test('a collection starts with the segments that need the least copying, and reports what it freed', async () => {
  const directory = await temporaryDirectory();
  const store = await openIn(directory);
  const blocks = someBlocks(28);
  await putAll(store, blocks);
  const bytes = async () => {
    const names = (await readdir(directory)).filter((name) => name.endsWith('.car'));
    const sizes = await Promise.all(names.map(async (name) => (await stat(join(directory, name))).size));
    return sizes.reduce((sum, size) => sum + size, 0);
  };
  const before = await bytes();
  // Seven blocks a segment. Five of the first segment stay, one of the second, three of the third, none of the last.
  const live = blocks.filter((_block, index) => [0, 1, 2, 3, 4, 7, 14, 15, 16].includes(index));
  const removed: string[] = [];
  const { unlink } = fs;
  jest.spyOn(fs, 'unlink').mockImplementation(async (path) => {
    await unlink(path);
    if (String(path).endsWith('.car')) removed.push(basename(String(path)));
  });
  await sweep(store, live);
  expect(removed).toEqual(['00000004.car', '00000002.car', '00000003.car', '00000001.car']);
  await expectAll(store, live);
  // The copies fill one segment and begin another. Each has a header, which is not part of the copies.
  const headers = 2 * 18;
  expect((await store.stat()).reclaimedBytes).toBe(before - (await bytes()) + headers);
  await store.close();
});

test.each([
  [0, '00'],
  [0x7f, '7f'],
  [0x80, '8001'],
  [0x3fff, 'ff7f'],
  [0x4000, '808001'],
  [Number.MAX_SAFE_INTEGER, 'ffffffffffffff0f'],
])('%i as a varint', (value, bytes) => {
  expect(Buffer.from(encodeVarint(value)).toString('hex')).toBe(bytes);
  expect(decodeVarint(Buffer.from(bytes, 'hex'), 0)).toEqual({ value, end: bytes.length / 2 });
});

describe('a record whose length is damaged', () => {
  const RECORD = 3000 + 38;
  const asV0 = ({ cid, bytes }: Block): Block => ({ cid: CID.createV0(cid.multihash as never), bytes });
  /** Changes the length of the record at `index` (from 0) so that it points far beyond the end. */
  const damage = async (path: string, index: number, recordBytes: number) => {
    const handle = await open(path, 'r+');
    await handle.write(Buffer.from([0xff, 0x7f]), 0, 2, 18 + index * recordBytes);
    await handle.close();
  };

  test('at the end of its segment: the index still knows the block, and a collection moves it', async () => {
    const directory = await temporaryDirectory();
    const store = await openIn(directory);
    const blocks = someBlocks(10);
    await putAll(store, blocks);
    await damage(join(directory, '00000001.car'), 6, RECORD);
    expect(await collect(store.verify())).toEqual([]);
    await sweep(store, blocks.slice(4));
    expect(await readdir(directory)).not.toContain('00000001.car');
    await expectAll(store, blocks.slice(4));
    await store.close();
    const again = await openIn(directory);
    await expectAll(again, blocks.slice(4));
    await again.close();
  });

  test('later records are found again without an index, including CIDs of version 0', async () => {
    const directory = await temporaryDirectory();
    const store = await openIn(directory);
    const blocks = someBlocks(5).map(asV0);
    await putAll(store, blocks);
    const left = await temporaryDirectory();
    for (const name of await readdir(directory)) await copyFile(join(directory, name), join(left, name));
    await store.close();
    await damage(join(left, '00000001.car'), 1, RECORD - 2);
    const warnings: string[] = [];
    const again = await openIn(left, warnings);
    await expectAll(
      again,
      blocks.filter((_block, index) => index !== 1),
    );
    expect(await again.has(blocks[1]!.cid.multihash.bytes)).toBe(false);
    expect(warnings).toHaveLength(1);
    await again.close();
  });
});

/** Makes opening the files that `fails` selects fail with an I/O error. */
function failToOpen(fails: (path: string) => boolean): void {
  const { open: openFile } = fs;
  jest.spyOn(fs, 'open').mockImplementation(async (path, flags, mode) => {
    if (fails(String(path))) throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
    return openFile(path, flags, mode);
  });
}

(tellsOpenFiles ? describe : describe.skip)(`no file stays open that was opened before a failure${IF_TOLD}`, () => {
  // In a store with two full segments: the second of them, the active one, the journal of removals, the directory.
  test.each(['00000002.car', '00000003.car', 'removed.journal', ''])('a store cannot be opened: %s', async (name) => {
    const directory = await temporaryDirectory();
    const blocks = someBlocks(16);
    const before = await openIn(directory);
    await putAll(before, blocks);
    await before.close();
    expect(await readdir(directory)).toContain('00000003.car');
    const failing = join(directory, name);
    failToOpen((path) => join(path) === failing);
    await expect(openIn(directory)).rejects.toThrow('EIO');
    expect(openFilesOf(directory)).toEqual([]);
    jest.restoreAllMocks();
    const store = await openIn(directory);
    await expectAll(store, blocks);
    await store.close();
  });

  test('a store with a segment of unknown size', async () => {
    const directory = await temporaryDirectory();
    const before = await openIn(directory);
    await putAll(before, someBlocks(16));
    await before.close();
    const { open: openFile } = fs;
    jest.spyOn(fs, 'open').mockImplementation(async (path, flags, mode) => {
      const handle = await openFile(path, flags, mode);
      if (String(path).endsWith('00000002.car'))
        handle.stat = (() => Promise.reject(new Error('EIO: i/o error'))) as never;
      return handle;
    });
    await expect(openIn(directory)).rejects.toThrow('EIO');
    expect(openFilesOf(directory)).toEqual([]);
  });

  test('a store whose last segment cannot be truncated', async () => {
    const directory = await temporaryDirectory();
    const file = await AppendFile.open(join(directory, 'file'), 0, true);
    await file.append([Buffer.from('abc')]);
    await file.close();
    const { open: openFile } = fs;
    jest.spyOn(fs, 'open').mockImplementationOnce(async (...args) => {
      const handle = await openFile(...args);
      handle.truncate = () => Promise.reject(new Error('EIO: i/o error'));
      return handle;
    });
    await expect(AppendFile.open(join(directory, 'file'), 1, true)).rejects.toThrow('EIO');
    expect(openFilesOf(directory)).toEqual([]);
  });

  test('the next segment cannot be made durable', async () => {
    const directory = await temporaryDirectory();
    const store = await openIn(directory);
    const [first, ...more] = someBlocks(12);
    await putAll(store, [first!]);
    failToOpen((path) => path === directory);
    await expect(putAll(store, more)).rejects.toThrow('EIO');
    expect(openFilesOf(directory).sort()).toEqual(['00000001.car', 'removed.journal']);
    jest.restoreAllMocks();
    await putAll(store, more);
    await expectAll(store, [first!, ...more]);
    await store.close();
    expect(openFilesOf(directory)).toEqual([]);
  });
});
