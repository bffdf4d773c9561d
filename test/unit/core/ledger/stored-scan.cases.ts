import { type Hex } from 'viem';

import { candidatesIn } from '../../../../src/core/ledger/candidates';
import { ITEM_APPROVAL } from '../../../../src/core/ledger/filters';
import { packLogs, unpackLogs } from '../../../../src/core/ledger/packed-logs';
import { type PlacedLog } from '../../../../src/core/ledger/placed-log';
import { NOTHING_SEARCHED, type ScanState } from '../../../../src/core/ledger/scan';
import { scanStateOf, storedScan, StoredScanStruct } from '../../../../src/core/ledger/stored-scan';
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

const stored = (logs: readonly PlacedLog[], more: Partial<ScanState> = {}) => {
  const state = { ...NOTHING_SEARCHED, logs: packLogs(logs), ...more };
  const scan = storedScan(ACCOUNT, 'eip155:1', state, 0, ({ token }) => token === LISTED);
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
