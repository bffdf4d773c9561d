import { encodeAbiParameters } from 'viem';

import { array, bytes, decode, fixedArray, string, tuple, uint256, UNBOUNDED } from '../../../../src/core/eth/abi';
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

describe('the words that may be read', () => {
  const word = (value: number): string => value.toString(16).padStart(64, '0');
  const read = (words: number, types: Parameters<typeof decode>[0], ...data: string[]) =>
    decode(types, data.join(''), { words });
  const pair = tuple(uint256, uint256);
  const tooLarge = { misfit: 'too-large' };
  const mismatch = { misfit: 'mismatch' };

  it('are exactly those that are needed', () => {
    const two = [word(32), word(2), word(7), word(8)];
    expect(read(4, [array(uint256)], ...two)).toEqual({ values: [[7n, 8n]] });
    expect(read(3, [array(uint256)], ...two)).toEqual(tooLarge);
    expect(read(2, [fixedArray(uint256, 2)], word(7), word(8))).toEqual({ values: [[7n, 8n]] });
    expect(read(1, [fixedArray(uint256, 2)], word(7), word(8))).toEqual(tooLarge);
    const text = [word(32), word(2), '6869'.padEnd(64, '0')];
    expect(read(3, [string], ...text)).toEqual({ values: ['hi'] });
    expect(read(2, [string], ...text)).toEqual(tooLarge);
  });

  it('are not read at all of a list that the data cannot hold', () => {
    expect(read(3, [array(uint256)], word(32), word(3), word(7), word(8))).toEqual(mismatch);
    expect(read(4, [array(pair)], word(32), word(2), word(7), word(8), word(9))).toEqual(mismatch);
    expect(read(2, [fixedArray(pair, 2)], word(7), word(8), word(9))).toEqual(mismatch);
    expect(read(4, [uint256, fixedArray(uint256, 4)], word(7), word(8), word(9), word(1))).toEqual(mismatch);
    expect(read(9, [array(pair)], word(32), word(2), word(7), word(8), word(9), word(1))).toEqual({
      values: [
        [
          [7n, 8n],
          [9n, 1n],
        ],
      ],
    });
    expect(read(9, [fixedArray(pair, 2)], word(7), word(8), word(9), word(1))).toHaveProperty('values');
  });

  it('count items that take none of the data', () => {
    const empties = array(tuple());
    const data = [word(64), word(64), word(30)];
    expect(read(63, [empties, empties], ...data)).toHaveProperty('misfit');
    expect(read(64, [empties, empties], ...data)).toEqual({
      values: [Array<unknown>(30).fill([]), Array<unknown>(30).fill([])],
    });
  });
});
