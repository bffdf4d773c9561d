import { constants } from 'node:fs';
import fs, { copyFile, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { AppendFile, type AppendOptions } from '../../src/service/storage/blocks/append-file';
import { DirectIoPolicy } from '../../src/service/storage/blocks/direct-io';
import { DirectFile } from '../../src/service/storage/blocks/direct-file';
import { SegmentStore } from '../../src/service/storage/blocks/segment-store';
import { IF_TOLD, openFilesOf, tellsOpenFiles } from '../service/support/open-files';
import { someBytes } from './kit/content';
import { temporaryDirectory } from './kit/service';
import { rawBlock } from './store.suite';

/*
 * Large writes go past the page cache where the system and the disk can do that. Where they cannot, all but the tests of how
 * such a write fails prove the same of the ordinary way.
 */

const PAGE = 4096;
const DIRECT = { durable: true, direct: true };
const STORE = { durable: true, segmentBytes: 64 << 20, cacheBytes: 0 };

const openIn = (directory: string, warnings: string[] = []) =>
  SegmentStore.open(directory, { ...STORE, warn: (message) => warnings.push(message) });

afterEach(() => {
  jest.restoreAllMocks();
});

/** What Node's types leave out. */
declare const WebAssembly: { Memory: (size: object) => object };

const isDirect = (flags: unknown) => typeof flags === 'number' && (flags & (constants.O_DIRECT ?? 0)) !== 0;

type Opened = fs.FileHandle & { write: unknown };

/** Has every file that is opened for direct writes go through `change`; tells how often that was. */
function watchDirect(change: (handle: Opened) => void = () => undefined): { opened: number } {
  const watched = { opened: 0 };
  const { open } = fs;
  jest.spyOn(fs, 'open').mockImplementation(async (path, flags, mode) => {
    const handle = await open(path, flags, mode);
    if (isDirect(flags)) {
      watched.opened++;
      change(handle as Opened);
    }
    return handle;
  });
  return watched;
}

/** A failure of the disk, as Node tells it. */
const fault = (code: string) => Object.assign(new Error(`${code}: told by the test, write`), { code });

/** Why a direct write cannot be had here; undefined where it can. */
let unable: string | undefined;
beforeAll(async () => {
  const path = join(await temporaryDirectory(), 'probe');
  const handle = await fs.open(path, 'w');
  const file = await DirectFile.open(path, handle);
  if (file === undefined) unable = 'the system or the disk of the temporary folder has no direct writes';
  await file?.close();
  await handle.close();
});
/** Ends a test of what cannot happen here, and says so. */
function onlyWhereDirect(): boolean {
  if (unable !== undefined) process.stderr.write(`skipped: ${expect.getState().currentTestName}: ${unable}\n`);
  return unable === undefined;
}

describe('appends of all sizes, one after the other and together', () => {
  const sizes = fc.oneof(
    fc.integer({ min: 1, max: 200 }),
    fc.integer({ min: 1, max: 80 }).map((pages) => pages * PAGE),
    fc.integer({ min: 200_000, max: 700_000 }),
  );
  const batch = fc.record({ sizes: fc.array(sizes, { minLength: 1, maxLength: 5 }), sync: fc.boolean() });

  test.each([true, false])(
    'are stored at the reported positions, and the file ends with the last one (durable: %s)',
    async (durable) => {
      await fc.assert(
        fc.asyncProperty(fc.array(batch, { minLength: 1, maxLength: 12 }), async (batches) => {
          const path = join(await temporaryDirectory(), 'file');
          const file = await AppendFile.open(path, 0, { durable, direct: durable || new DirectIoPolicy() });
          const written: Buffer[] = [];
          for (const { sizes: lengths, sync } of batches) {
            const pieces = lengths.map((length) => someBytes(length));
            const offsets = await Promise.all(
              pieces.map((piece) => file.append([piece.subarray(0, 1), piece.subarray(1)])),
            );
            for (const [index, piece] of pieces.entries()) {
              const read = Buffer.alloc(piece.length);
              await file.handle.read(read, 0, read.length, offsets[index]!);
              expect(Buffer.compare(read, piece)).toBe(0);
            }
            written.push(...pieces);
            if (sync) await file.sync();
            const end = (await stat(path)).size;
            expect(end).toBeGreaterThanOrEqual(file.size);
            expect(end - file.size).toBeLessThan(PAGE);
          }
          await file.finish();
          expect(Buffer.compare(await readFile(path), Buffer.concat(written))).toBe(0);
          await file.close();
        }),
        { numRuns: 25 },
      );
    },
  );

  test('a piece larger than the memory is written in parts', async () => {
    const path = join(await temporaryDirectory(), 'file');
    const file = await AppendFile.open(path, 0, DIRECT);
    const pieces = [someBytes(777), someBytes(9_000_001), someBytes(300_000)];
    for (const piece of pieces) await file.append([piece]);
    await file.finish();
    await file.close();
    expect(Buffer.compare(await readFile(path), Buffer.concat(pieces))).toBe(0);
  });
});

test('only large batches that may bypass the page cache do so', async () => {
  const directory = await temporaryDirectory();
  const watched = watchDirect();
  for (const [direct, length, opened] of [
    [false, 1 << 20, 0],
    [true, 1000, 0],
    [true, 1 << 20, 1],
  ] as const) {
    const file = await AppendFile.open(join(directory, `${direct}${length}`), 0, { durable: true, direct });
    await file.append([someBytes(length)]);
    await file.append([someBytes(length)]);
    await file.finish();
    await file.close();
    if (onlyWhereDirect()) expect(watched.opened).toBe(opened);
  }
});

describe('how a large batch is written', () => {
  const MIB = 1 << 20;
  const appendMany = async (options: AppendOptions, count: number) => {
    let directWrites = 0;
    let syncs = 0;
    const { open } = fs;
    jest.spyOn(fs, 'open').mockImplementation(async (path, flags, mode) => {
      const handle = (await open(path, flags, mode)) as Opened;
      const datasync = handle.datasync.bind(handle);
      handle.datasync = () => {
        syncs++;
        return datasync();
      };
      const write = handle.write.bind(handle) as (...args: unknown[]) => Promise<unknown>;
      handle.write = ((...args: unknown[]) => {
        directWrites++;
        return write(...args);
      }) as never;
      return handle;
    });
    const file = await AppendFile.open(join(await temporaryDirectory(), 'file'), 0, options);
    for (let batch = 0; batch < count; batch++) await file.append([someBytes(MIB)]);
    const counted = { directWrites, syncs };
    await file.close();
    return counted;
  };

  test('directly, wherever a caller will wait for the disk; nothing is left to be synced', async () => {
    const { directWrites, syncs } = await appendMany({ durable: true, direct: true }, 40);
    if (onlyWhereDirect()) expect([directWrites, syncs]).toEqual([40, 0]);
  });

  test('in both modes, where no caller waits', async () => {
    const { directWrites, syncs } = await appendMany({ durable: false, direct: new DirectIoPolicy() }, 8);
    if (onlyWhereDirect()) expect([directWrites, syncs]).toEqual([4, 0]);
  });

  test('measurements of one file apply to the next', async () => {
    let ms = 0;
    const policy = new DirectIoPolicy(() => ms++);
    await appendMany({ durable: false, direct: policy }, 8);
    jest.restoreAllMocks();
    const { directWrites } = await appendMany({ durable: false, direct: policy }, 8);
    if (onlyWhereDirect()) expect(directWrites).toBe(8);
  });

  test('data in the page cache is synced every 16 MiB', async () => {
    expect(await appendMany({ durable: true, direct: false }, 40)).toEqual({ directWrites: 0, syncs: 2 });
  });
});

test('finishing waits for appends in progress', async () => {
  const path = join(await temporaryDirectory(), 'file');
  const file = await AppendFile.open(path, 0, DIRECT);
  const pieces = [someBytes(700_001), someBytes(12)];
  const appended = Promise.all(pieces.map((piece) => file.append([piece])));
  await file.finish();
  await appended;
  await file.close();
  expect(Buffer.compare(await readFile(path), Buffer.concat(pieces))).toBe(0);
});

test('a file truncated by someone else is not written further', async () => {
  const path = join(await temporaryDirectory(), 'file');
  const file = await AppendFile.open(path, 0, DIRECT);
  await file.append([someBytes(100)]);
  await truncate(path, 0);
  const append = file.append([someBytes(300_000)]);
  if (onlyWhereDirect()) await expect(append).rejects.toThrow('the file is shorter than what was written to it');
  else await append;
  await file.close();
});

test('if another file has taken over the name, appends go to the file that was opened', async () => {
  const directory = await temporaryDirectory();
  const [path, moved] = [join(directory, 'file'), join(directory, 'moved')];
  const file = await AppendFile.open(path, 0, DIRECT);
  const pieces = [someBytes(100), someBytes(300_000)];
  await file.append(pieces.slice(0, 1));
  await rename(path, moved);
  await copyFile(moved, path);
  await file.append(pieces.slice(1));
  await file.finish();
  await file.close();
  expect(Buffer.compare(await readFile(moved), Buffer.concat(pieces))).toBe(0);
  expect(Buffer.compare(await readFile(path), pieces[0]!)).toBe(0);
  if (tellsOpenFiles) expect(openFilesOf(directory)).toEqual([]);
});

describe('where direct writes are unavailable, everything is written normally', () => {
  const appendAll = async (path: string) => {
    const file = await AppendFile.open(path, 0, DIRECT);
    const pieces = [someBytes(300_000), someBytes(5), someBytes(400_000)];
    for (const piece of pieces) await file.append([piece]);
    await file.sync();
    await file.finish();
    await file.close();
    expect(Buffer.compare(await readFile(path), Buffer.concat(pieces))).toBe(0);
  };

  test.each(['EINVAL', 'EMFILE'])('the file cannot be opened this way: %s', async (code) => {
    const path = join(await temporaryDirectory(), 'file');
    const { open } = fs;
    const opened = jest.spyOn(fs, 'open').mockImplementation((file, flags, mode) => {
      return isDirect(flags) ? Promise.reject(fault(code)) : open(file, flags, mode);
    });
    await appendAll(path);
    // It is not tried for each batch.
    expect(opened.mock.calls.filter(([, flags]) => isDirect(flags)).length).toBeLessThanOrEqual(1);
  });

  test('there is no memory for it', async () => {
    const directory = await temporaryDirectory();
    const [first, second] = [join(directory, 'first'), join(directory, 'second')];
    const handle = await fs.open(first, 'w');
    // What is kept for the next file is taken, so that there has to be more.
    const other = await DirectFile.open(first, handle);
    jest.spyOn(WebAssembly, 'Memory').mockImplementation(() => {
      throw new RangeError('WebAssembly.Memory(): could not allocate memory');
    });
    await appendAll(second);
    if (onlyWhereDirect()) expect(WebAssembly.Memory).toHaveBeenCalledTimes(1);
    await other?.close();
    await handle.close();
    if (tellsOpenFiles) expect(openFilesOf(directory)).toEqual([]);
  });

  // As at a limit of the file's size, which is told of the write that begins there.
  test.each([0, 1, PAGE + 1024])('a write takes %d bytes', async (bytesWritten) => {
    const path = join(await temporaryDirectory(), 'file');
    const writeSome = jest.fn(() => Promise.resolve({ bytesWritten }));
    watchDirect((handle) => {
      handle.write = writeSome as never;
    });
    await appendAll(path);
    if (onlyWhereDirect()) expect(writeSome).toHaveBeenCalledTimes(1);
    if (tellsOpenFiles) expect(openFilesOf(path)).toEqual([]);
  });

  test.each(['EINVAL', 'EOPNOTSUPP'])('the first write is not supported: %s', async (code) => {
    const path = join(await temporaryDirectory(), 'file');
    const write = jest.fn(() => Promise.reject(fault(code)));
    watchDirect((handle) => {
      handle.write = write;
    });
    await appendAll(path);
    if (onlyWhereDirect()) expect(write).toHaveBeenCalledTimes(1);
    if (tellsOpenFiles) expect(openFilesOf(path)).toEqual([]);
  });
});

describe('a failing direct write', () => {
  test.each([
    ['the disk is full', 'ENOSPC', () => Promise.reject(fault('ENOSPC'))],
    ['the disk fails', 'EIO', () => Promise.reject(fault('EIO'))],
  ])('%s: the append is rejected, earlier data stays, and the next one is appended', async (_name, said, answer) => {
    const path = join(await temporaryDirectory(), 'file');
    let fails = false;
    watchDirect((handle) => {
      const write = handle.write.bind(handle) as (...args: unknown[]) => Promise<unknown>;
      handle.write = (async (...args: unknown[]) => {
        const result = await write(...args);
        return fails ? answer() : result;
      }) as never;
    });
    const file = await AppendFile.open(path, 0, DIRECT);
    const [before, refused, after] = [someBytes(300_001), someBytes(500_000), someBytes(310_000)];
    await file.append([before]);
    fails = true;
    if (onlyWhereDirect()) {
      await expect(file.append([refused])).rejects.toThrow(said);
      expect(file.size).toBe(before.length);
    }
    fails = false;
    expect(await file.append([after])).toBe(before.length);
    await file.finish();
    await file.close();
    expect(Buffer.compare(await readFile(path), Buffer.concat([before, after]))).toBe(0);
  });

  test('that fails in its second part leaves nothing that the next one would take for the start of its page', async () => {
    const path = join(await temporaryDirectory(), 'file');
    let writes = 0;
    let failing = 0;
    watchDirect((handle) => {
      const write = handle.write.bind(handle) as (...args: unknown[]) => Promise<unknown>;
      handle.write = ((...args: unknown[]) =>
        ++writes === failing ? Promise.reject(fault('ENOSPC')) : write(...args)) as never;
    });
    const file = await AppendFile.open(path, 0, DIRECT);
    const [before, after] = [someBytes(300_001), someBytes(310_000)];
    await file.append([before]);
    failing = writes + 2;
    if (onlyWhereDirect()) await expect(file.append([someBytes(5_000_000)])).rejects.toThrow('ENOSPC');
    await file.append([after]);
    await file.finish();
    await file.close();
    expect(Buffer.compare(await readFile(path), Buffer.concat([before, after]))).toBe(0);
  });

  test('if the disk writes only some pages at a time, the rest follows', async () => {
    const path = join(await temporaryDirectory(), 'file');
    const lengths: number[] = [];
    const read = jest.fn();
    watchDirect((handle) => {
      handle.read = read;
      const write = handle.write.bind(handle) as (...args: unknown[]) => Promise<unknown>;
      handle.write = ((memory: Buffer, from: number, length: number, at: number) => {
        lengths.push(length);
        return write(memory, from, Math.min(length, 30 * PAGE), at);
      }) as never;
    });
    const file = await AppendFile.open(path, 0, DIRECT);
    const pieces = [someBytes(300_000), someBytes(300_000)];
    for (const piece of pieces) await file.append([piece]);
    await file.finish();
    await file.close();
    expect(Buffer.compare(await readFile(path), Buffer.concat(pieces))).toBe(0);
    if (onlyWhereDirect()) expect(lengths.length).toBeGreaterThan(4);
    // The page that the first one ended in is still in memory.
    expect(read).not.toHaveBeenCalled();
  });
});

describe('the store', () => {
  const blocksOf = (...lengths: number[]) => lengths.map((length) => rawBlock(someBytes(length)));
  const putAll = async (store: SegmentStore, blocks: readonly ReturnType<typeof rawBlock>[]) => {
    await Promise.all(blocks.map(({ cid, bytes }) => store.put(cid, [bytes])));
    await store.commit();
  };
  const expectAll = async (store: SegmentStore, blocks: readonly ReturnType<typeof rawBlock>[]) => {
    for (const { cid, bytes } of blocks) expect(Buffer.compare((await store.get(cid.multihash.bytes))!, bytes)).toBe(0);
  };

  test('killed after a large write: everything is there, and nothing is reported as damaged', async () => {
    const directory = await temporaryDirectory();
    const store = await openIn(directory);
    const blocks = blocksOf(300_000, 400_000, 262_144);
    await putAll(store, blocks);
    // A second write, shorter: what the first one left in memory must not get behind its end.
    blocks.push(...blocksOf(270_000));
    await putAll(store, blocks.slice(-1));
    const left = await temporaryDirectory();
    const segment = join(left, '00000001.car');
    await copyFile(join(directory, '00000001.car'), segment);
    await store.close();
    const { size } = await stat(join(directory, '00000001.car'));
    if (onlyWhereDirect()) expect((await stat(segment)).size).toBe(Math.ceil(size / PAGE) * PAGE);
    const warnings: string[] = [];
    const again = await openIn(left, warnings);
    await expectAll(again, blocks);
    expect((await stat(segment)).size).toBe(size);
    const more = blocksOf(10, 300_000);
    await putAll(again, more);
    await again.close();
    const third = await openIn(left, warnings);
    await expectAll(third, [...blocks, ...more]);
    await third.close();
    expect(warnings).toEqual([]);
  });

  test.each([
    ['the rest of a page', Buffer.alloc(PAGE - 1), false],
    ['a whole page', Buffer.alloc(PAGE), true],
    ['the rest of a page, but for one byte', Buffer.from([...Buffer.alloc(PAGE - 2), 1]), true],
  ])('zeros after the last block: %s', async (_name, zeros, warns) => {
    const directory = await temporaryDirectory();
    const store = await openIn(directory);
    const blocks = blocksOf(1000, 2000);
    await putAll(store, blocks);
    await store.close();
    const segment = join(directory, '00000001.car');
    const content = await readFile(segment);
    await writeFile(segment, Buffer.concat([content, zeros]));
    const warnings: string[] = [];
    const again = await openIn(directory, warnings);
    await expectAll(again, blocks);
    await again.close();
    expect(warnings.length).toBe(warns ? 1 : 0);
    expect(Buffer.compare(await readFile(segment), content)).toBe(0);
  });

  test('apparent zeros at the end of a scan window that are not padding', async () => {
    const directory = await temporaryDirectory();
    const store = await openIn(directory);
    // Before each block 39 bytes: the last one ends 100 bytes before the end of a window.
    const blocks = blocksOf(...Array<number>(3).fill((1 << 20) - 39), (1 << 20) - 139);
    for (const block of blocks) await putAll(store, [block]);
    await store.close();
    const left = await temporaryDirectory();
    const content = await readFile(join(directory, '00000001.car'));
    for (const [last, count] of [
      [0, 0],
      [1, 1],
    ] as const) {
      await writeFile(join(left, '00000001.car'), Buffer.concat([content, Buffer.alloc(500), Buffer.from([last])]));
      const warnings: string[] = [];
      const again = await openIn(left, warnings);
      await expectAll(again, blocks);
      expect(warnings.length).toBe(count);
      await again.close();
      // With an index file nothing is scanned.
      await rm(join(left, '00000001.index'));
    }
  });

  test('zeros after the last block of a read-only segment do not count as damage when it is collected', async () => {
    const directory = await temporaryDirectory();
    const settings = { ...STORE, segmentBytes: 300_000 };
    const warnings: string[] = [];
    const open = () => SegmentStore.open(directory, { ...settings, warn: (message) => warnings.push(message) });
    const store = await open();
    const blocks = blocksOf(200_000, 200_000, 200_000);
    for (const block of blocks) await putAll(store, [block]);
    await store.close();
    const first = join(directory, '00000001.car');
    await writeFile(first, Buffer.concat([await readFile(first), Buffer.alloc(100)]));
    const again = await open();
    const isLive = (key: Uint8Array) => Buffer.compare(key, blocks[0]!.cid.multihash.bytes) === 0;
    for await (const removed of again.sweep(() => Promise.resolve(isLive))) void removed;
    for await (const broken of again.verify()) throw new Error(`${broken.toString()} is broken`);
    await expectAll(again, [blocks[0]!]);
    await again.close();
    expect(warnings).toEqual([]);
  });

  test('a block put while the end of a segment is about to be truncated is rejected, or is there afterwards', async () => {
    const directory = await temporaryDirectory();
    const { open } = fs;
    let outcomes: PromiseSettledResult<void>[] = [];
    const [blocks, late] = [blocksOf(300_000), blocksOf(70_000, 400_000)];
    jest.spyOn(fs, 'open').mockImplementation(async (path, flags, mode) => {
      const handle = await open(path, flags, mode);
      const truncate = handle.truncate.bind(handle);
      handle.truncate = async (length) => {
        outcomes = await Promise.allSettled(late.map((block) => putAll(store, [block])));
        await truncate(length);
      };
      return handle;
    });
    const store = await openIn(directory);
    await putAll(store, blocks);
    await store.close();
    jest.restoreAllMocks();
    if (onlyWhereDirect()) expect(outcomes.length).toBe(late.length);
    const again = await openIn(directory);
    await expectAll(again, [...blocks, ...late.filter((_, index) => outcomes[index]?.status === 'fulfilled')]);
    await again.close();
  });

  (tellsOpenFiles ? test : test.skip)(`no file stays open, even if the disk failed${IF_TOLD}`, async () => {
    const directory = await temporaryDirectory();
    const store = await openIn(directory);
    await putAll(store, blocksOf(300_000));
    const open = openFilesOf(directory)
      .map((path) => basename(path))
      .sort();
    if (onlyWhereDirect()) expect(open).toEqual(['00000001.car', '00000001.car', 'removed.journal']);
    await store.close();
    expect(openFilesOf(directory)).toEqual([]);

    const failing = await openIn(directory);
    watchDirect((handle) => {
      handle.write = () => Promise.reject(fault('EIO'));
    });
    const put = putAll(failing, blocksOf(300_000));
    if (onlyWhereDirect()) await expect(put).rejects.toThrow('EIO');
    await failing.close();
    expect(openFilesOf(directory)).toEqual([]);
    jest.restoreAllMocks();

    const file = await AppendFile.open(join(directory, 'file'), 0, DIRECT);
    await file.append([someBytes(300_000)]);
    await file.close();
    expect(openFilesOf(directory)).toEqual([]);
  });
});
