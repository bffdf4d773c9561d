import { type FileHandle, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { type Extent, NeighbourReads } from '../../src/service/storage/blocks/neighbour-reads';
import { ReadCache } from '../../src/service/storage/blocks/read-cache';
import { fuzzing } from '../helpers/fuzz';
import { someBytes } from './kit/content';
import { temporaryDirectory } from './kit/service';

const FILE_BYTES = 3 << 20;
const HEAD = 40;
const BLOCK = 256 << 10;

let content: Buffer;
let handle: FileHandle;
beforeAll(async () => {
  content = someBytes(FILE_BYTES);
  const path = join(await temporaryDirectory(), 'file');
  await writeFile(path, content);
  handle = await open(path, 'r');
});
afterAll(() => handle.close());

const readAll = (extents: readonly Extent[], from = handle): Promise<Buffer[]> => {
  const reads = new NeighbourReads(from);
  return Promise.all(extents.map((extent) => reads.read(extent)));
};
const expected = ({ offset, length }: Extent) => content.subarray(offset, offset + length);

/** Blocks one after the other, each behind a head of its own. */
const inARow = (count: number): Extent[] =>
  Array.from({ length: count }, (_, index) => ({ offset: HEAD + index * (HEAD + BLOCK), length: BLOCK }));

test('concurrent requests each get their own bytes', async () => {
  const extent = fc.oneof(
    fc.record({ offset: fc.integer({ min: 0, max: FILE_BYTES + 10 }), length: fc.integer({ min: 0, max: 5000 }) }),
    fc.record({ offset: fc.integer({ min: 0, max: 600 }), length: fc.integer({ min: 0, max: 300 }) }),
    fc.constantFrom(...inARow(11)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(extent, { maxLength: 12 }), async (extents) => {
      const read = await readAll(extents);
      expect(read.map((bytes, index) => bytes.equals(expected(extents[index]!)))).toEqual(extents.map(() => true));
    }),
    fuzzing(300),
  );
});

test('adjacent extents are read at once, up to 1 MiB', async () => {
  const read = jest.spyOn(handle, 'read');
  const blocks = inARow(6);
  const bytes = await readAll([...blocks].reverse());
  expect(bytes.reverse().map((each, index) => each.equals(expected(blocks[index]!)))).toEqual(blocks.map(() => true));
  expect(read.mock.calls.map((call: readonly unknown[]) => call.slice(2))).toEqual([
    [3 * BLOCK + 2 * HEAD, HEAD],
    [3 * BLOCK + 2 * HEAD, HEAD + 3 * (HEAD + BLOCK)],
  ]);
});

test('separate and overlapping extents are read individually', async () => {
  const read = jest.spyOn(handle, 'read');
  await readAll([
    { offset: 0, length: 100 },
    { offset: 400, length: 100 },
    { offset: 450, length: 100 },
  ]);
  expect(read).toHaveBeenCalledTimes(3);
});

test('a file that ends early gives fewer bytes to extents past the end, and only to those', async () => {
  const [before, across, behind] = await readAll([
    { offset: FILE_BYTES - 30, length: 10 },
    { offset: FILE_BYTES - 20, length: 100 },
    { offset: FILE_BYTES + 90, length: 5 },
  ]);
  expect([before?.length, across?.length, behind?.length]).toEqual([10, 20, 0]);
});

test('a read error is reported to every request', async () => {
  const path = join(await temporaryDirectory(), 'closed');
  await writeFile(path, content.subarray(0, 1000));
  const closed = await open(path, 'r');
  await closed.close();
  const reads = new NeighbourReads(closed);
  const results = await Promise.allSettled(inARow(5).map((extent) => reads.read(extent)));
  expect(results.map(({ status }) => status)).toEqual(Array(5).fill('rejected'));
});

test('a small block that was read with its neighbours does not retain their memory', async () => {
  const [first] = await readAll([
    { offset: 0, length: 100 },
    { offset: 100, length: 1000 },
  ]);
  const cache = new ReadCache(1 << 20);
  const key = Uint8Array.of(0x12, 1, 1);
  cache.set(key, first!);
  expect(cache.get(key)).toEqual(Uint8Array.from(expected({ offset: 0, length: 100 })));
  expect(cache.get(key)?.buffer.byteLength).toBe(100);
});
