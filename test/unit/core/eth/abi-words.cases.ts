import { encodeAbiParameters } from 'viem';

import { array, bytes, decode, fixedArray, tuple, uint256, UNBOUNDED } from '../../../../src/core/eth/abi';
import { type Hex } from '../../../../src/core/eth/bytes';

/** The numbers of the words that decoding read. */
function readOf(types: Parameters<typeof decode>[0], data: Hex): number[] {
  const read = new Set<number>();
  expect(decode(types, data.slice(2), { words: 1_000, read })).toHaveProperty('values');
  return [...read].map((digits) => digits / 64).sort((a, b) => a - b);
}

describe('the words that a reading of calldata accounts for', () => {
  const padded = (length: number) => encodeAbiParameters([{ type: 'bytes' }], [`0x${'ab'.repeat(length)}`]);

  it.each([
    [0, [0, 1]],
    [1, [0, 1, 2]],
    [32, [0, 1, 2]],
    [33, [0, 1, 2, 3]],
    [70, [0, 1, 2, 3, 4]],
  ])('are all words of %s bytes, and none after them', (length, words) => {
    expect(readOf([bytes], padded(length))).toEqual(words);
    expect(readOf([bytes], `${padded(length)}${'cd'.repeat(64)}`)).toEqual(words);
  });

  it('are not those that something hides between the values', () => {
    const hidden = '11'.repeat(32);
    const word = (value: number): string => value.toString(16).padStart(64, '0');
    expect(readOf([bytes], `0x${word(64)}${hidden}${word(1)}${'ab'.padEnd(64, '0')}`)).toEqual([0, 2, 3]);
    expect(readOf([array(uint256)], `0x${word(64)}${hidden}${word(2)}${word(7)}${word(8)}`)).toEqual([0, 2, 3, 4]);
    expect(readOf([tuple(uint256, uint256)], `0x${word(7)}${word(8)}${hidden}`)).toEqual([0, 1]);
  });
});

describe('a length or an offset', () => {
  const word = (value: bigint | number): string => value.toString(16).padStart(64, '0');
  const read = (types: Parameters<typeof decode>[0], ...words: string[]) => decode(types, words.join(''), UNBOUNDED);

  it('counts no more than there are bytes, even for items that take none', () => {
    const empty = array(tuple());
    expect(read([empty], word(32), word(64))).toEqual({ values: [Array<unknown>(64).fill([])] });
    expect(read([empty], word(32), word(65))).toEqual({ misfit: 'mismatch' });
    expect(read([empty], word(32), word(2n ** 48n))).toEqual({ misfit: 'mismatch' });
    expect(read([empty], word(32), word(2n ** 48n + 1n))).toEqual({ misfit: 'mismatch' });
  });

  it('leaves room for every item of a list', () => {
    expect(read([array(uint256)], word(32), word(2), word(7), word(8))).toEqual({ values: [[7n, 8n]] });
    expect(read([array(uint256)], word(32), word(3), word(7), word(8))).toEqual({ misfit: 'mismatch' });
    expect(read([fixedArray(uint256, 2)], word(7), word(8))).toEqual({ values: [[7n, 8n]] });
    expect(read([fixedArray(uint256, 2)], word(7))).toEqual({ misfit: 'mismatch' });
  });

  it('of bytes that end too early is a mismatch', () => {
    expect(read([bytes], word(32), word(32), word(7))).toEqual({ values: [word(7)] });
    expect(read([bytes], word(32), word(33), word(7))).toEqual({ misfit: 'mismatch' });
  });
});

describe('a fixed number of items whose length varies', () => {
  const word = (value: number): string => value.toString(16).padStart(64, '0');
  const text = (letter: string): string => `${word(1)}${letter.padEnd(64, '0')}`;

  it('is behind an offset, unless there are none', () => {
    const two = `${word(32)}${word(64)}${word(128)}${text('aa')}${text('bb')}`;
    expect(decode([fixedArray(bytes, 2)], two, UNBOUNDED)).toEqual({ values: [['aa', 'bb']] });
    expect(decode([fixedArray(bytes, 1)], `${word(32)}${word(32)}${text('aa')}`, UNBOUNDED)).toEqual({
      values: [['aa']],
    });
    expect(decode([fixedArray(bytes, 0), uint256], word(7), UNBOUNDED)).toEqual({ values: [[], 7n] });
  });

  it('has the layout of a tuple of them', () => {
    const encoded = encodeAbiParameters([{ type: 'bytes[2]' }, { type: 'uint256' }], [['0xaa', '0xbb'], 7n]).slice(2);
    expect(decode([fixedArray(bytes, 2), uint256], encoded, UNBOUNDED)).toEqual({ values: [['aa', 'bb'], 7n] });
    expect([fixedArray(bytes, 2).words, fixedArray(bytes, 0).words, fixedArray(uint256, 3).words]).toEqual([1, 0, 3]);
    expect([fixedArray(bytes, 1).dynamic, fixedArray(bytes, 0).dynamic]).toEqual([true, false]);
  });
});
