import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

import { RLP } from '@ethereumjs/rlp';

import type { Archive } from '../../../../src/service/chain/archive/archive';
import { fromHex } from '../../../../src/service/chain/archive/bytes';
import { testArchive } from '../../../support/service/archive';
import { facts, keccakHex, headerOf } from '../../../support/service/facts';
import { dataFile, testWithShared, writeFile } from '../../../support/service/folder';
import { uncleOf } from '../../../support/service/uncle';

type Decoded = [header: Uint8Array[], transactions: unknown, uncles: Uint8Array[][]];

/** Decodes a whole export with a library that the product does not use. */
function decodeAll(bytes: Uint8Array): Decoded[] {
  const blocks: Decoded[] = [];
  for (let rest = bytes; rest.length > 0;) {
    const { data, remainder } = RLP.decode(rest, true);
    blocks.push(data as unknown as Decoded);
    rest = remainder;
  }
  return blocks;
}

/** Every uncle, re-encoded from the answer and hashed again, and everything compared with the export. */
function expectExport(archive: Archive, bytes: Uint8Array): number {
  let uncles = 0;
  for (const [header, , own] of decodeAll(bytes)) {
    const hash = keccakHex(RLP.encode(header));
    const number = Number(`0x${Buffer.from(header[8]!).toString('hex') || '0'}`);
    expect(archive.numberOf(fromHex(hash))).toBe(number);
    expect(archive.block(number)).toEqual({ number, uncleCount: own.length });
    own.forEach((uncle, i) => {
      const answer = uncleOf(archive, number, i, false)!;
      expect(answer.hash).toBe(keccakHex(RLP.encode(uncle)));
      expect(keccakHex(headerOf(answer))).toBe(answer.hash);
      uncles += 1;
    });
  }
  return uncles;
}

test('every uncle of the execution-apis chain', async () => {
  const bytes = readFileSync(dataFile('hivechain.rlp'));
  const archive = testArchive('hivechain');
  await archive.import(writeFile('chain.rlp.gz', gzipSync(bytes)));
  const opened = await archive.open();
  expect(expectExport(opened, bytes)).toBe(18);
  opened.close();
});

testWithShared('mainnet-0-999.rlp', 'every uncle of the first thousand blocks of mainnet', async (path) => {
  const archive = testArchive('mainnet');
  expect(await archive.import(path)).toMatchObject({ blocks: 1000, uncles: 293 });
  const opened = await archive.open();
  expect(expectExport(opened, readFileSync(path))).toBe(293);
  opened.close();
});

testWithShared('mainnet-00000-5ec1ffb8.era1', 'all 1410 uncles of the first epoch of mainnet', async (path) => {
  const archive = testArchive('mainnet');
  expect(await archive.import(path)).toMatchObject({ blocks: 8192, uncles: 1410 });
  const opened = await archive.open();
  let uncles = 0;
  for (let number = 0; number < 8192; number++) {
    const { uncleCount } = opened.block(number)!;
    const headers = Array.from({ length: uncleCount }, (_, i) => {
      const uncle = uncleOf(opened, number, i, true)!;
      const header = headerOf(uncle);
      expect(keccakHex(header)).toBe(uncle.hash);
      expect(uncle.size).toBe(`0x${RLP.encode([RLP.decode(header), [], []]).length.toString(16)}`);
      expect(uncle.totalDifficulty).not.toBeNull();
      return uncle;
    });
    uncles += headers.length;
  }
  expect(uncles).toBe(1410);
  const own = facts.filter(({ network, block }) => network === 'mainnet' && Number(block) < 8192);
  expect(own).toHaveLength(8);
  for (const { block, blockHash, index, result, computedTotalDifficulty } of own) {
    const number = opened.numberOf(fromHex(blockHash!))!;
    expect(number).toBe(Number(block));
    expect(uncleOf(opened, number, Number(index), true)).toEqual({
      ...result,
      totalDifficulty: computedTotalDifficulty,
    });
  }
  opened.close();
});

test('the blocks of another chain are not admitted to the mainnet archive', async () => {
  const archive = testArchive('mainnet');
  const { files } = await archive.import(dataFile('hivechain.rlp'));
  expect(files).toMatchObject([
    { outcome: 'refused', reason: 'not the chain of mainnet: block 0 has a different hash' },
  ]);
});
