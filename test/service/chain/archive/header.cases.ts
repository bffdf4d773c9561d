import { RLP } from '@ethereumjs/rlp';

import { FormatError } from '../../../../src/service/chain/archive/errors';
import { readHeader } from '../../../../src/service/chain/archive/header';

/** A whole number without leading zeros, as RLP wants it. */
const bytesOf = (value: bigint) => {
  const digits = value.toString(16);
  return value === 0n ? Buffer.alloc(0) : Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
};

/** A header of the time before London. */
const headerOf = (difficulty: Uint8Array, number: Uint8Array) =>
  RLP.encode([
    Buffer.alloc(32, 1),
    Buffer.alloc(32, 2),
    Buffer.alloc(20, 3),
    ...[4, 5, 6].map((byte) => Buffer.alloc(32, byte)),
    Buffer.alloc(256, 7),
    difficulty,
    number,
    ...[8, 9, 10, 11].map((byte) => Buffer.alloc(1, byte)),
    Buffer.alloc(32, 12),
    Buffer.alloc(8, 13),
  ]);

/** In its last years of proof of work, mainnet had difficulties of seven bytes. */
const DIFFICULTIES = [0n, 1n, 2n ** 48n - 1n, 2n ** 48n, 11_055_787_484_078_698n, 2n ** 96n + 5n, 2n ** 256n - 1n];

test.each(DIFFICULTIES)('a header of difficulty %s is read exactly', (difficulty) => {
  for (const number of [0, 255, 15_537_393, 2 ** 32 - 1])
    expect(readHeader(headerOf(bytesOf(difficulty), bytesOf(BigInt(number))))).toEqual({
      parentHash: new Uint8Array(32).fill(1),
      unclesHash: new Uint8Array(32).fill(2),
      difficulty,
      number,
    });
});

test.each([
  ['a difficulty of 33 bytes', Buffer.alloc(33, 1), bytesOf(1n)],
  ['a number of five bytes', bytesOf(1n), Buffer.alloc(5, 1)],
])('%s is rejected', (_, difficulty, number) => {
  expect(() => readHeader(headerOf(difficulty, number))).toThrow(FormatError);
});
