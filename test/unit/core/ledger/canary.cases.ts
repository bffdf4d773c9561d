import { type Hex } from '../../../../src/core/eth/bytes';
import { type CanarySource, tryCanary } from '../../../../src/core/ledger/canary';
import { type PlacedLog } from '../../../../src/core/ledger/placed-log';
import { type BlockRange } from '../../../../src/core/ledger/searched';
import { TRANSFER_TOPIC } from '../../../../src/core/simulation/asset-logs';
import { SimulatedLogs } from '../../../support/simulated-logs';

const ACCOUNT: Hex = `0x${'a1'.repeat(20)}`;
const TOKEN: Hex = `0x${'c3'.repeat(20)}`;
const NOBODYS: Hex = `0x${'11'.repeat(32)}`;

const word = (value: string): Hex => `0x${value.padStart(64, '0')}`;
/** A transfer in a transaction of its own. */
const transfer = (block: bigint, logIndex = 0, event: Hex = TRANSFER_TOPIC): PlacedLog => ({
  ...{ address: TOKEN, topics: [event, word(ACCOUNT.slice(2)), word('1')], data: '0x' },
  ...{ blockNumber: block, transactionHash: word(`${block.toString(16)}0${logIndex}`), logIndex },
});

/** A node that notes the blocks and the ranges that it is asked for. */
function noting(logs: readonly PlacedLog[], habits = {}) {
  const node = new SimulatedLogs(10_000n, logs, habits);
  const [blocks, asked]: [bigint[], BlockRange[]] = [[], []];
  const source: CanarySource = {
    logsOf: node.logsOf,
    transactionsIn: async (block) => {
      blocks.push(block);
      return node.transactionsIn(block);
    },
    logs: async (topics, range) => {
      asked.push(range);
      return node.logs(topics, range);
    },
  };
  return { source, blocks, asked };
}

describe('a canary', () => {
  it('looks in each third of the blocks that were searched, at four of them from the newest on', async () => {
    const { source, blocks } = noting([]);
    expect(await tryCanary([{ from: 100n, to: 129n }], [], source)).toEqual({ kind: 'none' });
    expect(blocks).toEqual([109n, 107n, 105n, 103n, 119n, 117n, 115n, 113n, 129n, 127n, 125n, 123n]);
  });

  it.each([
    [1n, [100n]],
    [2n, [101n]],
    [3n, [100n, 101n, 102n]],
    [4n, [100n, 101n, 103n]],
    [5n, [100n, 102n, 104n]],
  ])('looks at no block twice if there are only %s', async (count, expected) => {
    const { source, blocks } = noting([]);
    await tryCanary([{ from: 100n, to: 99n + count }], [], source);
    expect(blocks).toEqual(expected);
  });

  it('looks at three transactions of a block at most', async () => {
    const strange = [0, 1, 2].map((at) => transfer(100n, at, NOBODYS));
    const once = [{ from: 100n, to: 100n }];
    const found = noting([...strange.slice(0, 2), transfer(100n, 2)]);
    expect(await tryCanary(once, [], found.source)).toEqual({ kind: 'found', blocks: [100n] });
    const late = noting([...strange, transfer(100n, 3)]);
    expect(await tryCanary(once, [], late.source)).toEqual({ kind: 'none' });
  });

  it('looks for the newest known log of each third first, at its first and last block too', async () => {
    const logs = [100n, 101n, 102n, 103n, 104n, 105n].map((block) => transfer(block));
    const searched = [{ from: 100n, to: 105n }];
    const all = noting(logs);
    expect(await tryCanary(searched, logs, all.source)).toEqual({ kind: 'found', blocks: [101n, 103n, 105n] });
    expect(all.blocks).toEqual([]);
    const firsts = noting(logs);
    const known = [logs[0]!, logs[2]!, logs[4]!];
    expect(await tryCanary(searched, known, firsts.source)).toEqual({ kind: 'found', blocks: [100n, 102n, 104n] });
    expect(firsts.blocks).toEqual([]);
  });

  it('is looked for between the first and the last block that were searched, with gaps between', async () => {
    const logs = [transfer(100n), transfer(159n), transfer(99n), transfer(160n)];
    const { source } = noting(logs);
    const searched = [
      { from: 100n, to: 109n },
      { from: 150n, to: 159n },
    ];
    expect(await tryCanary(searched, logs, source)).toEqual({ kind: 'found', blocks: [100n, 159n] });
  });

  it.each([
    [150n, { from: 100n, to: 200n }],
    [151n, { from: 101n, to: 201n }],
    [149n, { from: 100n, to: 199n }],
    [100n, { from: 100n, to: 150n }],
    [1000n, { from: 950n, to: 1000n }],
    [950n, { from: 900n, to: 1000n }],
    [951n, { from: 901n, to: 1000n }],
  ])('of block %s is asked for in the 50 blocks around it, as far as they were searched', async (block, range) => {
    const { source, asked } = noting([transfer(block)]);
    await tryCanary([{ from: 100n, to: 1000n }], [transfer(block)], source);
    expect(asked).toEqual([range]);
  });

  it('is asked for in its block alone if the node refuses the range, and missing if it refuses that too', async () => {
    const log = transfer(500n);
    const searched = [{ from: 100n, to: 1000n }];
    const small = noting([log], { mostBlocks: 1n });
    expect(await tryCanary(searched, [log], small.source)).toEqual({ kind: 'found', blocks: [500n] });
    expect(small.asked).toEqual([
      { from: 450n, to: 550n },
      { from: 500n, to: 500n },
    ]);
    const never = noting([log], { mostBlocks: 0n });
    const missing = { kind: 'missing', block: 500n, transaction: log.transactionHash };
    expect(await tryCanary(searched, [log], never.source)).toEqual(missing);
  });

  it('is missing if the node answers only other logs', async () => {
    const log = transfer(500n);
    const { source } = noting([transfer(500n, 1), transfer(501n)]);
    const missing = { kind: 'missing', block: 500n, transaction: log.transactionHash };
    expect(await tryCanary([{ from: 100n, to: 1000n }], [log], source)).toEqual(missing);
  });

  it('that nobody owns is not looked for', async () => {
    const log = transfer(500n, 0, NOBODYS);
    const { source, asked } = noting([log]);
    expect(await tryCanary([{ from: 500n, to: 500n }], [], source)).toEqual({ kind: 'none' });
    expect(asked).toEqual([]);
  });
});
