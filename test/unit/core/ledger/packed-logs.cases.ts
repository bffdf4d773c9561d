import fc from 'fast-check';

import { type Hex, lowerCase, toHex } from '../../../../src/core/eth/bytes';
import { logsBetween, packLogs, unpackLogs } from '../../../../src/core/ledger/packed-logs';
import { inOrder, type PlacedLog } from '../../../../src/core/ledger/placed-log';
import { TRANSFER_BATCH, TRANSFER_TOPIC } from '../../../../src/core/simulation/asset-logs';

const bytes = (least: number, most = least): fc.Arbitrary<Hex> =>
  fc.uint8Array({ minLength: least, maxLength: most, size: 'max' }).map((drawn) => toHex(drawn));
const log: fc.Arbitrary<PlacedLog> = fc.record({
  address: bytes(20),
  data: bytes(0, 200),
  topics: fc.array(fc.oneof(bytes(32), fc.constantFrom(TRANSFER_TOPIC, TRANSFER_BATCH)), { maxLength: 4 }),
  blockNumber: fc.bigInt(0n, 2n ** 40n),
  transactionHash: bytes(32),
  logIndex: fc.nat(2 ** 31),
});
const logs = fc.array(log, { maxLength: 20 }).map((drawn) => drawn.sort(inOrder));

/** A log with the data that the ledger reads. */
const asRead = (one: PlacedLog): PlacedLog => ({
  ...one,
  data: one.topics[0] === TRANSFER_BATCH ? one.data : (one.data.slice(0, 130) as Hex),
});

test('unpacked logs are those that were packed, each time they are read, and data that nobody reads is dropped', () => {
  fc.assert(
    fc.property(logs, (drawn) => {
      const packed = packLogs(drawn);
      const unpacked = unpackLogs(packed);
      expect([...unpacked]).toEqual(drawn.map(asRead));
      expect([...unpacked]).toEqual(drawn.map(asRead));
    }),
  );
});

test('a log with more topics than there can be, or in upper case, spoils none of the others', () => {
  const [first, second] = fc.sample(log, { numRuns: 2, seed: 5 }).sort(inOrder);
  const topics = Array.from({ length: 300 }, (_, at): Hex => `0x${at.toString(16).toUpperCase().padStart(64, '0')}`);
  const packed = packLogs([{ ...first!, topics }, second!]);
  expect([...unpackLogs(packed)]).toEqual([
    { ...asRead({ ...first!, topics: [] }), topics: topics.slice(0, 4).map(lowerCase) },
    asRead(second!),
  ]);
});

test('the logs of a range of blocks are those between its ends', () => {
  fc.assert(
    fc.property(logs, fc.bigInt(0n, 2n ** 40n), fc.bigInt(0n, 2n ** 40n), (drawn, from, to) => {
      const between = logsBetween(packLogs(drawn), { from, to });
      const expected = drawn.filter(({ blockNumber }) => blockNumber >= from && blockNumber <= to);
      expect([...unpackLogs(between)]).toEqual(expected.map(asRead));
    }),
  );
});

test('of the data of a log two words are kept, and all of it of many items at once (ERC-1155)', () => {
  const [drawn] = fc.sample(log, { numRuns: 1, seed: 5 });
  const kept = (event: Hex, length: number): number => {
    const one = { ...drawn!, topics: [event], data: `0x${'ab'.repeat(length)}` as Hex };
    return ([...unpackLogs(packLogs([one]))][0]!.data.length - 2) / 2;
  };
  expect([0, 32, 63, 64, 65, 200].map((length) => kept(TRANSFER_TOPIC, length))).toEqual([0, 32, 63, 64, 64, 64]);
  expect([0, 64, 65, 200].map((length) => kept(TRANSFER_BATCH, length))).toEqual([0, 64, 65, 200]);
});

test('the logs of a range include those of its first and last block', () => {
  const [drawn] = fc.sample(log, { numRuns: 1, seed: 5 });
  const all = [4n, 5n, 5n, 7n, 9n, 10n].map((blockNumber) => ({ ...drawn!, blockNumber }));
  const blocks = (from: bigint, to: bigint) =>
    [...unpackLogs(logsBetween(packLogs(all), { from, to }))].map(({ blockNumber }) => Number(blockNumber));
  expect(blocks(5n, 9n)).toEqual([5, 5, 7, 9]);
  expect(blocks(4n, 10n)).toEqual([4, 5, 5, 7, 9, 10]);
  expect(blocks(6n, 6n)).toEqual([]);
  expect(blocks(7n, 7n)).toEqual([7]);
  expect(blocks(11n, 20n)).toEqual([]);
});
