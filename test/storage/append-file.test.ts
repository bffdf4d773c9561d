import fs from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { AppendFile } from '../../src/service/storage/blocks/append-file';
import { FORM, multipart } from './kit/multipart';
import { rawRequest } from './kit/raw-http';
import { startTestService, temporaryDirectory } from './kit/service';

const bytes = (text: string) => Buffer.from(text);

test('if the disk writes only part of the data at a time, the rest follows', async () => {
  const path = join(await temporaryDirectory(), 'file');
  const file = await AppendFile.open(path, 0, { durable: true, direct: false });
  const { writeSync } = fs;
  const write = jest.spyOn(fs, 'writeSync');
  for (const most of [3, 1])
    write.mockImplementationOnce((fd: number, buffer: unknown) => writeSync(fd, (buffer as Buffer).subarray(0, most)));
  expect(await Promise.all([file.append([bytes('ab'), bytes('cd')]), file.append([bytes('efg')])])).toEqual([0, 4]);
  expect(await file.append([bytes('h')])).toBe(7);
  await file.sync();
  await file.close();
  expect(write).toHaveBeenCalledTimes(4);
  expect(await readFile(path, 'utf8')).toBe('abcdefgh');
});

describe('appends that arrive while an earlier one ends', () => {
  test('are written, however many steps later they arrive', async () => {
    const directory = await temporaryDirectory();
    const file = await AppendFile.open(join(directory, 'file'), 0, { durable: false, direct: false });
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
      // Small appends are written within one turn of the event loop. What is not written after a turn never will be.
      await setImmediate();
    }
    expect(settled).toEqual(Array.from({ length: STEPS }, (_none, index) => index));
    expect(await readFile(join(directory, 'file'), 'utf8')).toBe('ab'.repeat(STEPS));
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
