import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { AppendFile } from '../../src/service/storage/blocks/append-file';
import { someBytes } from './kit/content';
import { FORM, multipart } from './kit/multipart';
import { rawRequest } from './kit/raw-http';
import { startTestService, temporaryDirectory } from './kit/service';
import { onWrites } from './kit/writes';

const bytes = (text: string) => Buffer.from(text);

test('if the disk writes only part of the data at a time, the rest follows', async () => {
  const path = join(await temporaryDirectory(), 'file');
  const file = await AppendFile.open(path, 0, true);
  const limits = [3, 1];
  const write = await onWrites((_bytes, writeFirst) => writeFirst(limits.shift()));
  expect(await Promise.all([file.append([bytes('ab'), bytes('cd')]), file.append([bytes('efg')])])).toEqual([0, 4]);
  expect(await file.append([bytes('h')])).toBe(7);
  await file.sync();
  await file.close();
  expect(write).toHaveBeenCalledTimes(4);
  expect(await readFile(path, 'utf8')).toBe('abcdefgh');
});

test('appends of all sizes, one after the other and together, are stored at the reported positions', async () => {
  const sizes = fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 200_000, max: 700_000 }));
  const batch = fc.record({ sizes: fc.array(sizes, { minLength: 1, maxLength: 5 }), sync: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(batch, { minLength: 1, maxLength: 12 }), async (durable, batches) => {
      const path = join(await temporaryDirectory(), 'file');
      const file = await AppendFile.open(path, 0, durable);
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
        expect((await stat(path)).size).toBe(file.size);
      }
      await file.finish();
      expect(Buffer.compare(await readFile(path), Buffer.concat(written))).toBe(0);
      await file.close();
    }),
    { numRuns: 25 },
  );
});

test('data is synced every 16 MiB, before anyone waits for it', async () => {
  const file = await AppendFile.open(join(await temporaryDirectory(), 'file'), 0, true);
  const sync = jest.spyOn(file.handle, 'datasync');
  const piece = Buffer.alloc(1 << 20);
  for (let batch = 0; batch < 40; batch++) await file.append([piece]);
  expect(sync).toHaveBeenCalledTimes(2);
  await file.close();
});

test('finishing waits for appends in progress', async () => {
  const path = join(await temporaryDirectory(), 'file');
  const file = await AppendFile.open(path, 0, true);
  const pieces = [someBytes(700_001), someBytes(12)];
  const appended = Promise.all(pieces.map((piece) => file.append([piece])));
  await file.finish();
  expect(Buffer.compare(await readFile(path), Buffer.concat(pieces))).toBe(0);
  await appended;
  await file.close();
});

test.each(['ENOSPC', 'EIO'])(
  '%s: the append is rejected, earlier data stays, and the next one is appended',
  async (code) => {
    const path = join(await temporaryDirectory(), 'file');
    const file = await AppendFile.open(path, 0, true);
    const [before, refused, after] = [someBytes(300_001), someBytes(500_000), someBytes(310_000)];
    await file.append([before]);
    await onWrites(async (_bytes, write) => {
      await write(200_000);
      throw new Error(code);
    });
    await expect(file.append([refused])).rejects.toThrow(code);
    expect(file.size).toBe(before.length);
    jest.restoreAllMocks();
    expect(await file.append([after])).toBe(before.length);
    await file.finish();
    await file.close();
    expect(Buffer.compare(await readFile(path), Buffer.concat([before, after]))).toBe(0);
  },
);

describe('appends that arrive while an earlier one ends', () => {
  test('are written, however many steps later they arrive', async () => {
    const directory = await temporaryDirectory();
    const file = await AppendFile.open(join(directory, 'file'), 0, false);
    // Without a disk, a write ends in a few steps.
    const content: Buffer[] = [];
    await onWrites((written) => {
      content.push(written);
      return { bytesWritten: written.length };
    });
    const settled: number[] = [];
    const STEPS = 20;
    for (let steps = 0; steps < STEPS; steps++) {
      const first = file.append([bytes('a')]);
      for (let step = 0; step < steps; step++) await Promise.resolve();
      file.append([bytes('b')]).then(
        () => settled.push(steps),
        () => undefined,
      );
      await first;
      // The appends need no turn of the event loop: what is not written after one is written never.
      await setImmediate();
    }
    expect(settled).toEqual(Array.from({ length: STEPS }, (_none, index) => index));
    expect(Buffer.concat(content).toString()).toBe('ab'.repeat(STEPS));
    await file.close();
    await rm(directory, { recursive: true });
  });

  test('an add of many small chunks is answered', async () => {
    const service = await startTestService();
    for (let size = 1; size <= 12; size++) {
      for (const version of [0, 1]) {
        const path = `/api/v0/add?pin=false&chunker=size-${size}&cid-version=${version}`;
        const content = `hello world ${size} ${version}\n`;
        const answer = await rawRequest(service.port, {
          path,
          headers: FORM,
          body: multipart({ content, filename: 'x' }),
        });
        expect(answer.status).toBe(200);
      }
    }
    await service.discard();
  });
});
