import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { readChecksums } from '../../../../src/service/chain/archive/checksums';
import { importArchive, type Progress } from '../../../../src/service/chain/archive/import';
import { localPool, type Pool } from '../../../../src/service/chain/archive/pool';
import { findSources } from '../../../../src/service/chain/archive/sniff';
import { segmentName } from '../../../../src/service/chain/archive/segment';
import { filesIn, testArchive } from '../../../support/service/archive';
import { exportFile, makeChain } from '../../../support/service/chain';
import { era1File, era1Name } from '../../../support/service/era1-writer';
import { expectBlocks } from '../../../support/service/expect-archive';
import { makeFolder, writeFile } from '../../../support/service/folder';

const chain = makeChain({ length: 8192 + 300 });
const epoch0 = chain.slice(0, 8192);
const epoch1 = chain.slice(8192);
const epoch0File = era1File(epoch0);
const epoch1File = era1File(epoch1);
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('era1 files', () => {
  test('an epoch and the short one after it, with total difficulties across the boundary', async () => {
    const archive = testArchive();
    const folder = makeFolder();
    writeFile(era1Name('testnet', epoch1), epoch1File, folder);
    writeFile(era1Name('testnet', epoch0), epoch0File, folder);
    writeFile('checksums.txt', 'no archive: passed over', folder);
    const report = await archive.import(folder);
    expect(report.files.map(({ outcome, blocks }) => [outcome, blocks])).toEqual([
      ['imported', 8192],
      ['imported', 300],
    ]);
    const opened = await archive.open();
    expect(opened.covered).toEqual([{ start: 0, end: 8491 }]);
    expectBlocks(opened, chain.slice(8000), 'known');
    expectBlocks(opened, chain.slice(0, 200), 'known');
    expect(opened.block(8492)).toBeUndefined();
    expect(opened.numberOf(new Uint8Array(32).fill(7))).toBeUndefined();
    opened.close();
  });

  test('total difficulties of more than 64 bits, like the last ones of mainnet', async () => {
    const archive = testArchive();
    const late = makeChain({
      length: 100,
      after: { ...epoch0.at(-1)!, totalDifficulty: 58_750_003_716_598_352_816_469n },
    });
    await archive.import(writeFile('late.era1', era1File(late)));
    const opened = await archive.open();
    expectBlocks(opened, late, 'known');
    opened.close();
  });

  test('frames that are stored uncompressed, and a file of one block', async () => {
    const archive = testArchive();
    const one = chain.slice(8200, 8201);
    await archive.import(
      writeFile('plain.era1', era1File(epoch1, { plainFrames: true })),
      writeFile('a.era1', era1File(makeChain({ length: 1, start: 50_000 }))),
    );
    const opened = await archive.open();
    expectBlocks(opened, one, 'known');
    expect(opened.covered).toEqual([
      { start: 8192, end: 8491 },
      { start: 50_000, end: 50_000 },
    ]);
    opened.close();
  });

  test('a complete archive keeps only the hashes of blocks with uncles', async () => {
    const archive = testArchive();
    await archive.import(writeFile('a.era1', epoch1File), writeFile('b.era1', epoch0File));
    const opened = await archive.open(8491);
    expect(opened.complete).toBe(true);
    expect(opened.numberOf(chain[8490]!.hash)).toBe(8490);
    expect(opened.numberOf(chain[8491]!.hash)).toBeUndefined();
    const partial = await archive.open();
    expect(partial.complete).toBe(false);
    expect(partial.numberOf(chain[8491]!.hash)).toBe(8491);
    expect(opened.indexBytes).toBeLessThan(partial.indexBytes);
    opened.close();
    partial.close();
  });
});

describe('chain exports', () => {
  test.each([
    ['plain', 'chain.rlp', exportFile(chain)],
    ['gzipped', 'chain.rlp.gz', gzipSync(exportFile(chain))],
    ['gzipped in two members', 'a.gz', Buffer.concat([gzipSync(exportFile(epoch0)), gzipSync(exportFile(epoch1))])],
  ])('%s, split where era1 files would be', async (_, name, content) => {
    const archive = testArchive();
    const report = await archive.import(writeFile(name, content));
    expect(report.files).toMatchObject([{ outcome: 'imported', blocks: chain.length }]);
    expect(filesIn(archive.dir)).toEqual(['0000000000-0000008191.uncles', '0000008192-0000008491.uncles']);
    const opened = await archive.open();
    expectBlocks(opened, chain.slice(8100), 'known');
    opened.close();
  });

  test('an export that starts later has no total difficulty until the earlier part is imported', async () => {
    const archive = testArchive();
    await archive.import(writeFile('later.rlp', exportFile(epoch1)));
    const alone = await archive.open();
    expectBlocks(alone, epoch1, 'unknown');
    alone.close();
    await archive.import(writeFile('before.rlp', exportFile(epoch0)));
    const joined = await archive.open();
    expectBlocks(joined, chain.slice(8180), 'known');
    joined.close();
  });
});

describe('existing blocks', () => {
  test('the same file again, and the same blocks from another source, are skipped', async () => {
    const archive = testArchive();
    const file = writeFile('a.era1', epoch1File);
    await archive.import(file);
    expect((await archive.import(file)).files).toMatchObject([{ outcome: 'held', blocks: 0 }]);
    expect((await archive.import(writeFile('a.rlp', exportFile(epoch1)))).files).toMatchObject([{ outcome: 'held' }]);
  });

  test('leftovers of a killed import are deleted', async () => {
    const archive = testArchive();
    await archive.import(writeFile('a.era1', epoch0File));
    writeFileSync(join(archive.dir, '1-2-3.unfinished'), 'half a segment');
    await archive.import(writeFile('b.era1', epoch1File));
    expect(filesIn(archive.dir)).toHaveLength(2);
  });

  test('a second import into the same archive is rejected while the first runs', async () => {
    const paths = [writeFile('b.era1', epoch0File)];
    const archive = testArchive();
    await archive.import(writeFile('a.era1', epoch1File));
    const second: unknown[] = [];
    const run: Pool['run'] = async (job, emit) => {
      second.push(...(await Promise.allSettled([archive.import(...paths)])));
      await localPool.run(job, emit);
    };
    await importArchive({
      dir: archive.dir,
      network: 'testnet',
      found: findSources(paths),
      pool: { ...localPool, run },
    });
    expect(second).toMatchObject([{ reason: { message: `process ${process.pid} is importing into this archive` } }]);
  });

  test('a file that disappears before its turn is rejected, and does not stop the others', async () => {
    const archive = testArchive();
    const folder = makeFolder();
    for (const part of [0, 1, 2, 3])
      writeFile(`${part}.era1`, era1File(epoch1.slice(60 * part, 60 * part + 60)), folder);
    const { files } = await importArchive({
      dir: archive.dir,
      network: 'testnet',
      found: findSources([folder]),
      pool: { ...localPool, size: 2 },
      onProgress: () => {
        rmSync(join(folder, '2.era1'), { force: true });
      },
    });
    expect(files.map(({ outcome, reason = '' }) => [outcome, reason])).toEqual([
      ['imported', ''],
      ['imported', ''],
      ['refused', 'could not be imported (ENOENT)'],
      ['imported', ''],
    ]);
  });

  test('an archive that cannot be written ends the import, and nothing continues in the background', async () => {
    const archive = testArchive();
    const folder = makeFolder();
    for (let part = 0; part < 10; part++)
      writeFile(`${part}.era1`, era1File(epoch1.slice(30 * part, 30 * part + 30)), folder);
    let begun = 0;
    let ended = 0;
    const run = async (...job: Parameters<Pool['run']>) => {
      begun += 1;
      // Where the first segment belongs.
      mkdirSync(join(archive.dir, segmentName({ start: 8192, end: 8221 })), { recursive: true });
      await localPool.run(...job);
      ended += 1;
    };
    const importing = importArchive({
      dir: archive.dir,
      network: 'testnet',
      found: findSources([folder]),
      pool: { ...localPool, size: 3, run },
    });
    await expect(importing).rejects.toThrow('EISDIR');
    expect(ended).toBe(begun);
    expect(begun).toBeLessThan(10);
  });

  test('a replaced segment is read again, including its hashes and previously requested uncles', async () => {
    const blocks = epoch0.slice(0, 50);
    const other = makeChain({ length: 50, salt: ' of another chain' });
    const [archive, source] = [testArchive(), testArchive()];
    await archive.import(writeFile('a.era1', era1File(blocks)));
    await source.import(writeFile('b.era1', era1File(other)));
    const opened = await archive.open();
    expect(opened.numberOf(blocks[7]!.hash)).toBe(7);
    expectBlocks(opened, blocks, 'known');
    const name = segmentName({ start: 0, end: 49 });
    renameSync(join(source.dir, name), join(archive.dir, name));
    expect([opened.refresh(), opened.refresh()]).toEqual([false, true]);
    expect([opened.numberOf(blocks[7]!.hash), opened.numberOf(other[7]!.hash)]).toEqual([undefined, 7]);
    expectBlocks(opened, other, 'known');
    opened.close();
  });

  test('a running service loads new segments once the folder has stopped changing', async () => {
    const archive = testArchive();
    await archive.import(writeFile('a.era1', epoch0File));
    const opened = await archive.open();
    expect(opened.refresh()).toBe(false);
    await archive.import(writeFile('b.era1', epoch1File));
    expect(opened.block(8192)).toBeUndefined();
    expect([opened.refresh(), opened.refresh(), opened.refresh()]).toEqual([false, true, false]);
    expect(opened.block(8192)).toBeDefined();
    opened.close();
  });
});

test('unreadable files in a folder, and files that only look like archives by name, are rejected by name and stop nothing', async () => {
  const archive = testArchive();
  const folder = makeFolder();
  writeFile('a-first-byte.era1', Buffer.from(epoch1File).fill(0, 0, 1), folder);
  writeFile('b-empty.rlp.gz', '', folder);
  symlinkSync('nowhere', join(folder, 'c-link'));
  execFileSync('mkfifo', [join(folder, 'd-pipe.era1'), join(folder, 'pipe')]);
  writeFile('e.era1', epoch1File, folder);
  const { files } = await archive.import(folder, join(folder, 'pipe'));
  const reason = 'not an archive: neither era1 nor a chain export (RLP, gzipped or not)';
  expect(files).toMatchObject([
    { file: 'a-first-byte.era1', outcome: 'refused', reason },
    { file: 'b-empty.rlp.gz', outcome: 'refused', reason },
    { file: 'c-link', outcome: 'refused', reason: 'cannot be read (ENOENT)' },
    { file: 'd-pipe.era1', outcome: 'refused', reason },
    { file: 'pipe', outcome: 'refused', reason },
    { file: 'e.era1', outcome: 'imported', blocks: 300 },
  ]);
});

describe('checksum lists', () => {
  const importWith = async (list: string, name = 'a.era1') => {
    const { dir } = testArchive();
    const checksums = readChecksums(writeFile('list.txt', list));
    const paths = [writeFile(name, epoch1File)];
    const { files } = await importArchive({
      dir,
      network: 'testnet',
      found: findSources(paths),
      checksums,
      pool: localPool,
    });
    return files[0];
  };

  test.each([
    ['with names', `${sha256(epoch1File)}  a.era1\n`],
    ['without names', `0x${sha256(Buffer.of(1))}\n0x${sha256(epoch1File)}\n`],
    ['in capitals', `${sha256(epoch1File).toUpperCase()}  a.era1\n`],
    ['in capitals, without names', `0X${sha256(epoch1File).toUpperCase()}`],
    ['of binary files, in folders, with other ends of lines', `\r\n${sha256(epoch1File)} *./era1/a.era1\r\n\r\n`],
    ['with some names', `${sha256(Buffer.of(1))}  b.era1\n${sha256(epoch1File)}\n`],
  ])('%s', async (_, list) => {
    expect(await importWith(list)).toMatchObject({ outcome: 'imported' });
  });

  test('a file that differs or is not listed is rejected', async () => {
    expect(await importWith(`${sha256(Buffer.of(1))}  a.era1`)).toMatchObject({
      outcome: 'refused',
      reason: 'SHA-256 does not match list.txt',
    });
    expect(await importWith(`${sha256(epoch1File)}  b.era1`)).toMatchObject({
      reason: 'not in the checksum list list.txt',
    });
    // A digest without a name does not apply to a file that is listed by name.
    expect(await importWith(`${sha256(Buffer.of(1))}  a.era1\n${sha256(epoch1File)}\n`)).toMatchObject({
      reason: 'SHA-256 does not match list.txt',
    });
    expect(await importWith(`${sha256(Buffer.of(1))}\n`)).toMatchObject({
      reason: 'SHA-256 does not match list.txt',
    });
    for (const line of [
      'nonsense',
      sha256(epoch1File).slice(1),
      `${sha256(epoch1File)}0`,
      `${sha256(epoch1File)}a.era1`,
    ])
      await expect(importWith(`\n${line}`)).rejects.toThrow('list.txt: line 2 is not a SHA-256 digest');
  });
});

test('progress adds up to all blocks and all bytes', async () => {
  const { dir } = testArchive();
  const paths = [writeFile('a.era1', epoch0File), writeFile('b.rlp', exportFile(epoch1)), '/nowhere'];
  let last: Progress | undefined;
  const onProgress = (progress: Progress) => (last = { ...progress });
  await importArchive({ dir, network: 'testnet', found: findSources(paths), pool: localPool, onProgress });
  expect(last).toMatchObject({ done: 2, files: 2 });
  expect(last?.bytes).toBe(last?.totalBytes);
});
