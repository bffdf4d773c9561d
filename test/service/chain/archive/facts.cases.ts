import { RLP } from '@ethereumjs/rlp';

import { fromHex } from '../../../../src/service/chain/archive/bytes';
import { testArchive } from '../../../support/service/archive';
import { dataFile } from '../../../support/service/folder';
import { facts, headerOf, keccakHex, writeFactSegments, type Fact } from '../../../support/service/facts';
import { uncleOf } from '../../../support/service/uncle';

const name = ({ network, block, index }: Fact) =>
  `${network.split(' ')[0]} block ${Number(block)}, uncle ${Number(index)}`;

describe('23 uncles of public chains', () => {
  test('are all present', () => {
    expect(facts).toHaveLength(23);
  });

  test.each(facts.map((fact) => [name(fact), fact] as const))('%s matches its own hash', (_, fact) => {
    expect(keccakHex(headerOf(fact.result))).toBe(fact.result['hash']);
    if (fact.blockHeaderRlp === undefined) return;
    expect(keccakHex(fromHex(fact.blockHeaderRlp))).toBe(fact.blockHash);
    if (fact.blockRlp === undefined) return;
    const [header, , uncles] = RLP.decode(fact.blockRlp) as [Uint8Array[], unknown, Uint8Array[][]];
    expect(`0x${Buffer.from(header[1]!).toString('hex')}`).toBe(keccakHex(RLP.encode(uncles)));
  });

  test.each(facts.map((fact) => [name(fact), fact] as const))('%s is answered exactly', async (_, fact) => {
    const archive = testArchive(fact.network);
    writeFactSegments(archive.dataDir, fact.network);
    const opened = await archive.open();
    const [number, index] = [Number(fact.block), Number(fact.index)];
    expect(uncleOf(opened, number, index, true)).toEqual({
      ...fact.result,
      totalDifficulty: fact.computedTotalDifficulty,
    });
    expect(uncleOf(opened, number, index, false)).toEqual({ ...fact.result, totalDifficulty: null });
    expect(uncleOf(opened, number, 2, false)).toBeNull();
    if (fact.blockHash !== null) expect(opened.numberOf(fromHex(fact.blockHash))).toBe(number);
    opened.close();
  });
});

test('the uncles of the execution-apis chain match the facts, including London', async () => {
  const archive = testArchive('hivechain');
  const report = await archive.import(dataFile('hivechain.rlp'));
  expect(report).toMatchObject({ blocks: 54, uncles: 18 });
  const opened = await archive.open();
  const own = facts.filter(({ network }) => network.startsWith('hivechain'));
  expect(own).toHaveLength(3);
  for (const { block, blockHash, index, result } of own) {
    const number = opened.numberOf(fromHex(blockHash!));
    expect(number).toBe(Number(block));
    expect(uncleOf(opened, number!, Number(index), true)).toEqual({ ...result, totalDifficulty: null });
  }
  expect(uncleOf(opened, 29, 0, false)?.baseFeePerGas).toBeDefined();
  expect(uncleOf(opened, 3, 0, false)).not.toHaveProperty('baseFeePerGas');
  opened.close();
});
