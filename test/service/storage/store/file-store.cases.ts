import { uncharged } from '../../../../src/service/admission/uncharged';
import fs from 'node:fs';
import fsPromises, { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CID } from 'multiformats/cid';
import { DamagedBlockError, damagedBlocks } from '../../../../src/service/storage/store/block-store';
import { FileStore } from '../../../../src/service/storage/store/file-store';
import { fileOf } from '../../../../src/service/storage/store/flatfs';
import { makeFolder } from '../../../support/service/folder';
import { collect, someBytes } from '../../../support/storage/content';
import { describeStore, rawBlock } from './store.suite';

const OPTIONS = { durable: true, hashOnRead: true };
const NOTHING_LIVE = () => Promise.resolve(() => false);
const hex = (key: Uint8Array) => Buffer.from(key).toString('hex');

afterEach(() => {
  jest.restoreAllMocks();
});

describeStore('the store in files', async () => {
  const root = join(makeFolder(), 'blocks');
  // The order of its syncs is tested below.
  const open = () => FileStore.open(root, { ...OPTIONS, durable: false });
  return { store: await open(), reopen: open };
});

async function withBlock(bytes = someBytes(1000)) {
  const root = makeFolder();
  const store = await FileStore.open(root, OPTIONS);
  const { cid } = rawBlock(bytes);
  const key = cid.multihash.bytes;
  await store.put(key, bytes);
  await store.commit();
  const { folder, file } = fileOf(key);
  return { root, store, key, bytes, path: join(root, folder, file) };
}

test('files are arranged as Kubo arranges them', async () => {
  const root = makeFolder();
  const store = await FileStore.open(root, OPTIONS);
  // The directory without entries, whose file every repository of Kubo has.
  const cid = CID.parse('QmUNLLsPACCz1vLxQVkXqqLX5R1X345qqfHbsf67hvA3Nn');
  const bytes = Buffer.from('0a020801', 'hex');
  await store.put(cid.multihash.bytes, bytes);
  await store.close();
  expect(await readFile(join(root, 'SHARDING'), 'utf8')).toBe('/repo/flatfs/shard/v1/next-to-last/2\n');
  const file = join(root, 'X3', 'CIQFTFEEHEDF6KLBT32BFAGLXEZL4UWFNWM4LFTLMXQBCERZ6CMLX3Y.data');
  expect(Buffer.compare(await readFile(file), bytes)).toBe(0);
});

test('a folder whose files are arranged in another way is refused', async () => {
  const root = makeFolder();
  await writeFile(join(root, 'SHARDING'), '/repo/flatfs/shard/v1/prefix/2\n');
  await expect(FileStore.open(root, OPTIONS)).rejects.toThrow('next-to-last/2');
});

test('blocks that Kubo or an operator has copied there are found, and other files are left alone', async () => {
  const { root, store, key } = await withBlock();
  const copied = rawBlock(someBytes(10));
  const { folder, file } = fileOf(copied.cid.multihash.bytes);
  await mkdir(join(root, folder), { recursive: true });
  await writeFile(join(root, folder, file), copied.bytes);
  await mkdir(join(root, 'ZZ'), { recursive: true });
  // Not a name of base 32, one in the wrong folder, and what Kubo keeps beside the folders.
  for (const name of ['ZZ/note.data', `ZZ/${file}`, 'diskUsage.cache', '_README'])
    await writeFile(join(root, name), 'x');
  await store.close();
  const again = await FileStore.open(root, OPTIONS);
  expect((await collect(again.keys())).map(hex).sort()).toEqual([key, copied.cid.multihash.bytes].map(hex).sort());
  await collect(again.sweep(NOTHING_LIVE));
  expect(await readdir(join(root, 'ZZ'))).toEqual(expect.arrayContaining(['note.data', file]));
  expect(await readFile(join(root, 'diskUsage.cache'), 'utf8')).toBe('x');
  await again.close();
});

test('what a crash has left half written is no block, and is removed', async () => {
  const { root, store } = await withBlock();
  await store.close();
  await writeFile(join(root, '.temp', '7'), 'half');
  const again = await FileStore.open(root, OPTIONS);
  expect(await readdir(join(root, '.temp'))).toEqual([]);
  expect((await again.stat()).blocks).toBe(1);
  await again.close();
});

test('a block is synced before it has its name, and its name before it counts', async () => {
  const steps: string[] = [];
  const { open, rename } = fsPromises;
  const nameOf = (path: unknown) => (String(path).includes('.temp') ? 'block' : 'folder');
  jest.spyOn(fsPromises, 'open').mockImplementation(async (path, ...rest) => {
    const handle = await open(path, ...rest);
    for (const method of ['sync', 'datasync'] as const) {
      const original = handle[method].bind(handle);
      handle[method] = async () => {
        await original();
        steps.push(`sync ${nameOf(path)}`);
      };
    }
    return handle;
  });
  jest.spyOn(fsPromises, 'rename').mockImplementation(async (...paths) => {
    await rename(...paths);
    steps.push('rename');
  });
  const { store } = await withBlock();
  jest.restoreAllMocks();
  // A new store names its layout first.
  expect(steps.slice(0, 3)).toEqual(['sync folder', 'rename', 'sync folder']);
  // The folder of blocks and the one that is new in it.
  expect(steps.slice(3)).toEqual(['sync block', 'rename', 'sync folder', 'sync folder']);
  await store.close();
});

describe('damage', () => {
  test.each([
    ['a flipped byte', (bytes: Buffer) => Buffer.from([bytes[0]! ^ 1, ...bytes.subarray(1)])],
    ['a cut file', (bytes: Buffer) => bytes.subarray(0, 500)],
    ['an empty file', () => Buffer.alloc(0)],
  ])('%s: refused by a read that checks, found by verify, repaired by another put', async (_name, damage) => {
    const { root, store, key, bytes, path } = await withBlock();
    await writeFile(path, damage(Buffer.from(bytes)));
    await expect(store.get(key, uncharged())).rejects.toThrow(DamagedBlockError);
    expect((await collect(damagedBlocks(store, uncharged()))).map(hex)).toEqual([hex(key)]);
    const unchecked = await FileStore.open(root, { ...OPTIONS, hashOnRead: false });
    expect(await unchecked.get(key, uncharged())).toHaveLength(damage(Buffer.from(bytes)).length);
    await store.put(key, bytes);
    expect(Buffer.compare((await store.get(key, uncharged()))!, bytes)).toBe(0);
    expect(await collect(damagedBlocks(store, uncharged()))).toEqual([]);
    expect(await store.stat()).toMatchObject({ blocks: 1, blockBytes: bytes.length });
    await store.close();
  });
});

test('a block that is put while it is removed is there afterwards', async () => {
  const { store, key, bytes } = await withBlock();
  const { unlink } = fsPromises;
  let put: Promise<void> | undefined;
  jest.spyOn(fsPromises, 'unlink').mockImplementation(async (path) => {
    // The removal has begun, so this request has to write the block again.
    put ??= store.begin().put(key, bytes);
    await unlink(path);
  });
  expect(await collect(store.sweep(NOTHING_LIVE))).toHaveLength(1);
  await put;
  expect(Buffer.compare((await store.get(key, uncharged()))!, bytes)).toBe(0);
  await store.close();
});

test('who keeps a block while it is removed learns that it is gone', async () => {
  const { store, key } = await withBlock();
  const { unlink } = fsPromises;
  let found: Promise<boolean> | undefined;
  jest.spyOn(fsPromises, 'unlink').mockImplementation(async (path) => {
    found ??= store
      .begin()
      .keep(key, uncharged())
      .then(() => store.has(key));
    await unlink(path);
  });
  expect(await store.delete(key)).toBe(true);
  expect(await found).toBe(false);
  await store.close();
});

describe('a full disk', () => {
  const NO_SPACE = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });

  test.each(['writev', 'datasync'] as const)(
    'at %s: an error, nothing half written, and it works again',
    async (step) => {
      const { root, store, key, bytes } = await withBlock();
      const { open } = fsPromises;
      jest.spyOn(fsPromises, 'open').mockImplementation(async (path, ...rest) => {
        const handle = await open(path, ...rest);
        if (String(path).includes('.temp')) handle[step] = () => Promise.reject(NO_SPACE);
        return handle;
      });
      const another = rawBlock(someBytes(2000));
      await expect(store.put(another.cid.multihash.bytes, another.bytes)).rejects.toThrow('ENOSPC');
      expect(await store.has(another.cid.multihash.bytes)).toBe(false);
      expect(await readdir(join(root, '.temp'))).toEqual([]);
      // A collection needs no space.
      expect(await collect(store.sweep(() => Promise.resolve((each) => hex(each) === hex(key))))).toEqual([]);
      jest.restoreAllMocks();
      await store.put(another.cid.multihash.bytes, another.bytes);
      await store.commit();
      for (const block of [another, { cid: { multihash: { bytes: key } }, bytes }])
        expect(Buffer.compare((await store.get(block.cid.multihash.bytes, uncharged()))!, block.bytes)).toBe(0);
      await store.close();
    },
  );

  test('a folder that cannot be synced is synced by the next commit', async () => {
    const { store } = await withBlock();
    const another = rawBlock(someBytes(2000));
    await store.put(another.cid.multihash.bytes, another.bytes);
    const { open } = fsPromises;
    const spy = jest.spyOn(fsPromises, 'open').mockImplementation(async (path, ...rest) => {
      const handle = await open(path, ...rest);
      handle.sync = () => Promise.reject(NO_SPACE);
      return handle;
    });
    await expect(store.commit()).rejects.toThrow('ENOSPC');
    const before = spy.mock.calls.length;
    await expect(store.commit()).rejects.toThrow('ENOSPC');
    expect(spy.mock.calls.length).toBeGreaterThan(before);
    jest.restoreAllMocks();
    await store.commit();
    await store.close();
  });
});

test('opening and reading leave no file open', async () => {
  const { root, store, key } = await withBlock();
  await store.get(key, uncharged());
  await collect(damagedBlocks(store, uncharged()));
  await store.close();
  const open = fs
    .readdirSync('/proc/self/fd')
    .map((descriptor) => {
      try {
        return fs.readlinkSync(`/proc/self/fd/${descriptor}`);
      } catch {
        return '';
      }
    })
    .filter((path) => path.startsWith(root));
  expect(open).toEqual([]);
});
