import { PlacedLogsStruct } from '../../../../src/core/schemas/receipt';

describe('the place of a log', () => {
  const log = (blockNumber: bigint, logIndex: bigint) => ({
    address: `0x${'11'.repeat(20)}`,
    topics: [],
    data: '0x',
    transactionHash: `0x${'22'.repeat(32)}`,
    ...{ blockNumber: `0x${blockNumber.toString(16)}`, logIndex: `0x${logIndex.toString(16)}` },
  });

  it.each([
    [(1n << 48n) - 1n, (1n << 32n) - 1n, true],
    [1n << 48n, 0n, false],
    [0n, 1n << 32n, false],
    [0n, 0n, true],
  ])('in block %s, log %s, is read: %s', (block, index, isRead) => {
    expect(PlacedLogsStruct.is([log(block, index)])).toBe(isRead);
  });
});
