import { type Hex } from 'viem';

import { candidatesIn } from '../../../../src/core/ledger/candidates';
import { ITEM_APPROVAL } from '../../../../src/core/ledger/filters';
import { logsBetween, packLogs, unpackLogs } from '../../../../src/core/ledger/packed-logs';
import { inOrder, type PlacedLog } from '../../../../src/core/ledger/placed-log';
import { NOTHING_SEARCHED, type ScanState } from '../../../../src/core/ledger/scan';
import { scanStateOf, type StoredScan, storedScan, StoredScanStruct } from '../../../../src/core/ledger/stored-scan';
import { APPROVAL, TRANSFER_TOPIC } from '../../../../src/core/simulation/asset-logs';

const ACCOUNT: Hex = `0x${'a1'.repeat(20)}`;
const OTHER: Hex = `0x${'b2'.repeat(20)}`;

const address = (number: number): Hex => `0x${number.toString(16).padStart(40, '0')}`;
const word = (value: Hex): Hex => `0x${value.slice(2).padStart(64, '0')}`;
const logged = (at: number, token: Hex, topics: readonly Hex[]): PlacedLog => ({
  address: token,
  data: `0x${'ff'.repeat(32)}${'ee'.repeat(500)}`,
  topics: topics.map(word),
  blockNumber: BigInt(at),
  transactionHash: `0x${'cd'.repeat(32)}`,
  logIndex: 0,
});
const approval = (at: number, token: Hex, spender: Hex): PlacedLog => logged(at, token, [APPROVAL, ACCOUNT, spender]);

/** A token that is listed, so that only the account itself can have it log an approval. */
const LISTED = address(9999);

const stored = (logs: readonly PlacedLog[], more: Partial<ScanState> = {}, before?: StoredScan) => {
  const state = { ...NOTHING_SEARCHED, logs: packLogs(logs), ...more };
  const scan = storedScan(ACCOUNT, 'eip155:1', state, before, ({ token }) => token === LISTED);
  // It goes through the state as JSON.
  return StoredScanStruct.create(JSON.parse(JSON.stringify(scan)));
};

const kept = (logs: readonly PlacedLog[]) => unpackLogs(scanStateOf(stored(logs)).logs);

describe('a scan that is stored', () => {
  it('is bounded, whatever spam names the account, and says how much was left out', () => {
    const spam = Array.from({ length: 3000 }, (_, at) => approval(at, address(1 + (at % 20)), address(5000 + at)));
    const scan = stored(spam);
    expect(scan.logs).toHaveLength(400);
    expect(scan.leftOut).toBe(2600);
    expect(JSON.stringify(scan).length).toBeLessThan(300_000);
  });

  it('keeps a permission while one token floods the logs', () => {
    const own = approval(1, address(1), OTHER);
    const spam = Array.from({ length: 3000 }, (_, at) => approval(2 + at, address(2), address(5000 + at)));
    expect(candidatesIn(kept([own, ...spam]), ACCOUNT)).toContainEqual(
      expect.objectContaining({ token: address(1), spender: OTHER }),
    );
  });

  it('keeps a permission of a listed token while other tokens flood the logs', () => {
    const own = approval(1, LISTED, OTHER);
    const spam = Array.from({ length: 3000 }, (_, at) => approval(2 + at, address(at + 1), address(5000 + at)));
    expect(candidatesIn(kept([own, ...spam]), ACCOUNT)).toContainEqual(
      expect.objectContaining({ token: LISTED, spender: OTHER }),
    );
  });

  it('keeps a permission of a listed token that logs approvals of nothing for transfers of nothing', () => {
    const own = approval(1, LISTED, OTHER);
    const spam = Array.from({ length: 500 }, (_, at) => ({
      ...approval(2 + at, LISTED, address(5000 + at)),
      data: word('0x0'),
    }));
    expect(candidatesIn(kept([own, ...spam]), ACCOUNT)).toContainEqual(
      expect.objectContaining({ token: LISTED, spender: OTHER }),
    );
  });

  it('keeps each item of a contract that one spender may take', () => {
    const item = (at: number, id: number) =>
      logged(at, address(1), [ITEM_APPROVAL, ACCOUNT, OTHER, `0x${id.toString(16)}`]);
    const logs = [item(1, 7), item(2, 8), item(3, 7)];
    expect(candidatesIn(kept(logs), ACCOUNT).map(({ id, since }) => [id, since])).toEqual([
      [8n, 2n],
      [7n, 3n],
    ]);
  });

  it('keeps the newest event of each permission and the last transfer out, and drops others', () => {
    const sent = (at: number) => logged(at, address(1), [TRANSFER_TOPIC, ACCOUNT, OTHER]);
    const logs = [
      approval(1, address(1), OTHER),
      sent(2),
      approval(3, address(1), OTHER),
      sent(4),
      logged(5, address(1), [TRANSFER_TOPIC, OTHER, ACCOUNT]),
      logged(6, address(1), [APPROVAL, OTHER, ACCOUNT]),
    ];
    const found = [...kept(logs)];
    expect(found.map(({ blockNumber }) => blockNumber)).toEqual([3n, 4n]);
    expect(candidatesIn(found, ACCOUNT)).toEqual(candidatesIn(logs, ACCOUNT));
  });

  const mark = (number: bigint): ScanState['marks'][number] => ({ number, hash: word(`0x${number.toString(16)}`) });

  it('knows what holds at each mark, if the chain goes back to it', () => {
    const events = [1, 2, 5, 6, 9].map((at) => approval(at, LISTED, OTHER));
    const scan = stored(events, { marks: [mark(3n), mark(7n)] });
    const { logs } = scanStateOf(scan);
    expect([...unpackLogs(logs)].map(({ blockNumber }) => blockNumber)).toEqual([2n, 6n, 9n]);
    for (const { number } of scan.marks) {
      const range = { from: 0n, to: BigInt(number) };
      const whole = candidatesIn(unpackLogs(logsBetween(packLogs(events), range)), ACCOUNT);
      expect(candidatesIn(unpackLogs(logsBetween(logs, range)), ACCOUNT)).toEqual(whole);
      expect(whole).toHaveLength(1);
    }
  });

  it('knows what holds at a mark if an event is in the very block of the mark', () => {
    const blocks = (...at: number[]) => {
      const events = at.map((block) => approval(block, LISTED, OTHER));
      const { logs } = scanStateOf(stored(events, { marks: [mark(3n)] }));
      return [...unpackLogs(logs)].map(({ blockNumber }) => Number(blockNumber));
    };
    expect(blocks(2, 3, 5)).toEqual([3, 5]);
    expect(blocks(2, 4, 5)).toEqual([2, 5]);
    expect(blocks(3, 3, 4)).toEqual([3, 4]);
  });

  it('keeps older events of listed tokens and last transfers, whatever room others take', () => {
    const older = Array.from({ length: 150 }, (_, at) => approval(at, address(1 + (at % 5)), address(5000 + at)));
    const newer = older.map((log, at) => ({ ...log, blockNumber: BigInt(1000 + at) }));
    const sent = (at: number) => logged(at, address(8), [TRANSFER_TOPIC, ACCOUNT, OTHER]);
    const own = (at: number) => approval(at, LISTED, OTHER);
    const events = [own(1), sent(2), ...older, own(900), sent(901), ...newer].sort(inOrder);
    const { logs } = scanStateOf(stored(events, { marks: [mark(500n)] }));
    const kept = [...unpackLogs(logs)].filter((one) => one.blockNumber <= 500n);
    expect(kept).toContainEqual(expect.objectContaining({ address: LISTED, blockNumber: 1n }));
    expect(kept.length).toBeLessThanOrEqual(200);
    expect(kept.filter((one) => one.address !== LISTED)).toHaveLength(100);
  });

  it('is bounded if others repeat their events before each of many marks', () => {
    const marks = Array.from({ length: 20 }, (_, at) => mark(BigInt(100 * (at + 1))));
    const own = [approval(1905, LISTED, OTHER), approval(1999, LISTED, OTHER)];
    const spam = Array.from({ length: 2000 }, (_, at) => approval(at, address(1 + (at % 10)), address(1 + (at % 30))));
    const scan = stored([...spam, ...own].sort(inOrder), { marks });
    expect(scan.logs.length).toBeLessThan(200);
    expect(scan.marks).toHaveLength(8);
    const { logs } = scanStateOf(stored([...spam, ...own].sort(inOrder), { marks: [mark(1950n)] }));
    expect(candidatesIn(unpackLogs(logsBetween(logs, { from: 0n, to: 1950n })), ACCOUNT)).toContainEqual(
      expect.objectContaining({ token: LISTED, since: 1905n }),
    );
  });

  it('does not count twice what had no room in two scans, and forgets what was left out if it begins anew', () => {
    const flood = Array.from({ length: 100 }, (_, at) => approval(at, address(1), address(5000 + at)));
    const first = stored(flood, { marks: [mark(99n)] });
    expect(first.leftOut).toBe(60);
    // The newest blocks are searched each time.
    expect(stored(flood, { marks: [mark(99n), mark(120n)] }, first).leftOut).toBe(60);
    expect(stored([], { marks: [mark(99n), mark(120n)] }, first).leftOut).toBe(60);
    expect(stored([], { marks: [mark(98n)] }, first).leftOut).toBe(0);
  });

  it('is the state from which the next scan goes on', () => {
    const state: ScanState = {
      searched: [{ from: 5n, to: 2n ** 70n }],
      refused: [{ from: 1n, to: 1n }],
      marks: [{ number: 9n, hash: `0x${'ab'.repeat(32)}` }],
      logs: packLogs([]),
    };
    expect(scanStateOf(stored([], state))).toEqual(state);
  });
});
