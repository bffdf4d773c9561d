import { uncharged } from '../../../../src/service/admission/uncharged';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CID } from 'multiformats/cid';
import { StorageClient } from '../../../../src/clients/storage';
import { runMigrate } from '../../../../src/service/storage/cli/migrate';
import { openStorage } from '../../../../src/service/storage/server';
import { FileStore } from '../../../../src/service/storage/store/file-store';
import { makeFolder } from '../../../support/service/folder';
import { collect } from '../../../support/storage/content';
import { post } from '../../../support/storage/requests';
import { startTestService } from '../../../support/storage/service';

/** Made by version 0.2: five segments, with a block that was removed and one that was removed and put again. */
const OLD = join(__dirname, '../data', 'segment-store');
type Expected = {
  files: { cid: string; seed: string; bytes: number }[];
  removed: string;
  pins: { tenant: string; cid: string; mode: string; name: string }[];
  blake: string;
  blocks: number;
};
const EXPECTED = JSON.parse(readFileSync(join(OLD, 'expected.json'), 'utf8')) as Expected;

/** The content of a file of the old store. */
function contentOf(seed: string, length: number): Buffer {
  const pieces: Buffer[] = [];
  let piece = createHash('sha256').update(seed).digest();
  while (pieces.length * 32 < length) {
    pieces.push(piece);
    piece = createHash('sha256').update(piece).digest();
  }
  return Buffer.concat(pieces).subarray(0, length);
}

function copyOfOld(): string {
  const directory = join(makeFolder(), 'storage');
  cpSync(OLD, directory, { recursive: true });
  return directory;
}

async function migrate(dataDir: string) {
  const lines: string[] = [];
  const steps: number[] = [];
  const code = await runMigrate({
    dataDir,
    json: true,
    output: (line) => void lines.push(line),
    progress: (_label, done, total) => void steps.push(done / total),
  });
  return { code, steps, result: JSON.parse(lines.at(-1) ?? '') as Record<string, unknown> };
}

const oldIn = (directory: string) =>
  readdirSync(join(directory, 'blocks')).filter((name) => /\.car$|\.index$|journal/u.test(name));

afterEach(() => {
  jest.restoreAllMocks();
});

async function expectMigrated(dataDir: string): Promise<void> {
  expect(oldIn(dataDir)).toEqual([]);
  expect(existsSync(join(dataDir, 'pins.journal'))).toBe(false);
  const service = await startTestService({ dataDir });
  const client = new StorageClient({ url: service.url });
  for (const { cid, seed, bytes } of EXPECTED.files)
    expect(Buffer.compare(await client.read(cid), contentOf(seed, bytes))).toBe(0);
  expect((await post(service, `block/get?arg=${EXPECTED.blake}`)).body).toHaveLength(100);
  // It stays removed.
  await expect(client.blockGet(EXPECTED.removed)).rejects.toMatchObject({ kind: 'refused' });
  await service.stop();
  const { service: opened, close } = await openStorage({ dataDir });
  const shown = (pins: readonly { tenant: string; cid: string | CID; mode: string; name: string }[]) =>
    pins.map(({ tenant, cid, mode, name }) => [tenant, cid.toString(), mode, name].join(' ')).sort();
  expect(shown(await collect(opened.pins.list(uncharged())))).toEqual(shown(EXPECTED.pins));
  await close();
}

test('a store of version 0.2 is not opened, and nothing in it changes', async () => {
  const dataDir = copyOfOld();
  await expect(openStorage({ dataDir })).rejects.toThrow('run "keystead storage migrate" once');
  expect(oldIn(dataDir)).toHaveLength(11);
});

test('its blocks and pins are read, and then its files are removed', async () => {
  const dataDir = copyOfOld();
  const { code, result, steps } = await migrate(dataDir);
  expect([code, result]).toEqual([0, { blocks: EXPECTED.blocks, pins: EXPECTED.pins.length, problems: [] }]);
  expect([steps.length > 5, steps.every((step) => step >= 0 && step <= 1)]).toEqual([true, true]);
  await expectMigrated(dataDir);
  // There is nothing left to do.
  expect(await migrate(dataDir)).toMatchObject({ code: 0, result: { blocks: 0 } });
});

test.each([1, 4, 7, 10])(
  'stopped at block %i, it keeps every old file, and goes on when it is run again',
  async (stop) => {
    const dataDir = copyOfOld();
    const put = FileStore.prototype.put;
    let puts = 0;
    const spy = jest.spyOn(FileStore.prototype, 'put').mockImplementation(function (this: FileStore, ...args) {
      return ++puts === stop ? Promise.reject(new Error('killed')) : put.apply(this, args);
    });
    await expect(migrate(dataDir)).rejects.toThrow('killed');
    expect(oldIn(dataDir)).toHaveLength(11);
    await expect(openStorage({ dataDir })).rejects.toThrow('storage migrate');
    puts = 100;
    spy.mockClear();
    expect((await migrate(dataDir)).result).toEqual({
      blocks: EXPECTED.blocks,
      pins: EXPECTED.pins.length,
      problems: [],
    });
    // Segments that were done are not read again.
    if (stop === 10) expect(spy.mock.calls.length).toBeLessThan(5);
    await expectMigrated(dataDir);
  },
);

describe('a damaged old store', () => {
  const change = (path: string, at: number) => {
    const bytes = readFileSync(path);
    bytes[at]! ^= 1;
    writeFileSync(path, bytes);
  };

  test('a damaged block is named, the others are read, and the old files are kept', async () => {
    const dataDir = copyOfOld();
    change(join(dataDir, 'blocks', '00000002.car'), 3000);
    const { code, result } = await migrate(dataDir);
    expect([code, result['problems']]).toEqual([1, ['segment 00000002: the block at byte 54 is damaged']]);
    expect(result['keptIn']).toBe(join(dataDir, 'before-migration'));
    expect(readdirSync(join(dataDir, 'before-migration'))).toHaveLength(12);
    expect(result['blocks']).toBe(EXPECTED.blocks - 1);
  });

  test('without index files every block is found', async () => {
    const dataDir = copyOfOld();
    for (const name of oldIn(dataDir).filter((each) => each.endsWith('.index')))
      writeFileSync(join(dataDir, 'blocks', name), '');
    expect((await migrate(dataDir)).code).toBe(0);
    await expectMigrated(dataDir);
  });

  test('a tail that a crash has cut is no problem, but one in the middle is', async () => {
    const dataDir = copyOfOld();
    const blocks = join(dataDir, 'blocks');
    const last = readFileSync(join(blocks, '00000005.car'));
    writeFileSync(join(blocks, '00000005.car'), Buffer.concat([last, last.subarray(18, 200)]));
    expect((await migrate(dataDir)).result['problems']).toEqual([]);

    const other = copyOfOld();
    const middle = join(other, 'blocks', '00000003.car');
    writeFileSync(middle, Buffer.concat([readFileSync(middle), Buffer.from([200, 200, 200])]));
    expect((await migrate(other)).result['problems']).toEqual([
      'segment 00000003: what follows byte 10040 of 10043 is no block',
    ]);
  });

  test('a journal of pins with a damaged line is refused, but not one whose last line a crash has cut', async () => {
    const dataDir = copyOfOld();
    const path = join(dataDir, 'pins.journal');
    const journal = readFileSync(path);
    change(path, 30);
    await expect(migrate(dataDir)).rejects.toThrow('damaged in line 1: restore it from a backup');
    expect(oldIn(dataDir)).toHaveLength(11);
    writeFileSync(path, journal.subarray(0, -10));
    // The cut line is the release of a pin.
    expect((await migrate(dataDir)).result['pins']).toBe(EXPECTED.pins.length + 1);
  });
});

test('what the old store held is what a collection then works on', async () => {
  const dataDir = copyOfOld();
  await migrate(dataDir);
  const { service, close } = await openStorage({ dataDir });
  // Two files and the block that was put again have no pin.
  expect(await collect(service.garbage.collect({ charge: uncharged() }))).toHaveLength(3);
  await close();
});
