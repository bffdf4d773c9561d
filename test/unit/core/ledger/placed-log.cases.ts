import { inOrder, placeOf, type PlacedLog } from '../../../../src/core/ledger/placed-log';

const at = (blockNumber: bigint, logIndex: number): PlacedLog => ({
  ...{ address: `0x${'c3'.repeat(20)}`, topics: [], data: '0x', transactionHash: `0x${'cd'.repeat(32)}` },
  ...{ blockNumber, logIndex },
});

test('logs are sorted by their block first, and by their number in it', () => {
  const sorted = [at(1n, 9), at(2n, 0), at(2n, 1), at(2n, 10), at(3n, 0)];
  for (const mixed of [sorted.toReversed(), [...sorted.slice(2), ...sorted.slice(0, 2)], sorted])
    expect([...mixed].sort(inOrder).map(placeOf)).toEqual(['1/9', '2/0', '2/1', '2/10', '3/0']);
  expect(inOrder(at(2n, 3), at(2n, 3))).toBe(0);
});
