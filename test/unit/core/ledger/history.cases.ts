import { encodeAbiParameters, getAddress } from 'viem';

import { ENTRY_POINTS } from '../../../../src/core/erc4337/entry-points';
import { type Hex, lowerCase } from '../../../../src/core/eth/bytes';
import { MAX_UINT256 } from '../../../../src/core/eth/units';
import { BORROW_ALLOWANCE, topicsOf } from '../../../../src/core/ledger/filters';
import {
  type HistoryEntry,
  historyOf,
  historyTitle,
  type HistoryWords,
  type Payment,
  withOwnCoins,
} from '../../../../src/core/ledger/history';
import { holdingCandidates, usedTokens } from '../../../../src/core/ledger/holdings';
import { type PlacedLog } from '../../../../src/core/ledger/placed-log';
import {
  APPROVAL,
  DEPOSIT,
  SYSTEM_TRANSFERS,
  TRANSFER_BATCH,
  TRANSFER_SINGLE,
  TRANSFER_TOPIC,
} from '../../../../src/core/simulation/asset-logs';
import { operationEvent } from '../../../support/operation-event';

const ACCOUNT: Hex = `0x${'a1'.repeat(20)}`;
const OTHER: Hex = `0x${'b2'.repeat(20)}`;
const TOKEN: Hex = `0x${'c3'.repeat(20)}`;
const SECOND: Hex = `0x${'d4'.repeat(20)}`;
const ZERO: Hex = `0x${'0'.repeat(40)}`;

const word = (value: bigint | Hex): Hex =>
  `0x${(typeof value === 'bigint' ? value.toString(16) : value.slice(2)).padStart(64, '0')}`;

/** Logs of one transaction. */
const transaction = (number: bigint, ...logs: readonly (readonly [Hex, readonly Hex[], Hex])[]): PlacedLog[] =>
  logs.map(([address, topics, data], logIndex) => ({
    address,
    topics: [...topics],
    data,
    blockNumber: number,
    transactionHash: word(number),
    logIndex,
  }));

const moved = (token: Hex, from: Hex, to: Hex, amount: bigint) =>
  [token, [TRANSFER_TOPIC, word(from), word(to)], word(amount)] as const;
const allowed = (token: Hex, spender: Hex, amount: bigint) =>
  [token, [APPROVAL, word(ACCOUNT), word(spender)], word(amount)] as const;

const NAMES: Readonly<Record<string, string>> = { [OTHER]: 'Alice', [TOKEN]: 'DEMO', [SECOND]: 'EXA' };
const WORDS: HistoryWords = {
  coins: (wei) => `${wei} wei`,
  name: (address) => NAMES[address] ?? 'somebody',
  amount: (asset, amount) =>
    `${amount === MAX_UINT256 ? 'all' : amount} ${NAMES[asset.token]}${asset.kind === 'erc20' ? '' : ` #${asset.id}`}`,
};
const titles = (logs: readonly PlacedLog[]): string[] =>
  historyOf(logs, ACCOUNT, usedTokens(logs, ACCOUNT)).map((entry) => historyTitle(entry, WORDS));

test('a log of others, or one that takes back what it gave, makes no entry', () => {
  expect(
    titles([
      ...transaction(1n, moved(TOKEN, OTHER, SECOND, 5n)),
      ...transaction(2n, [TOKEN, [APPROVAL, word(OTHER), word(ACCOUNT)], word(5n)]),
      ...transaction(3n, moved(TOKEN, ACCOUNT, OTHER, 5n), moved(TOKEN, OTHER, ACCOUNT, 5n)),
      ...transaction(4n, moved(TOKEN, ACCOUNT, ACCOUNT, 5n)),
      ...transaction(5n, allowed(TOKEN, OTHER, 0n)),
    ]),
  ).toEqual([]);
});

test('what only came in from a token that the account never used is marked', () => {
  const logs = [
    ...transaction(1n, moved(TOKEN, OTHER, ACCOUNT, 5n)),
    ...transaction(2n, moved(SECOND, OTHER, ACCOUNT, 5n)),
    ...transaction(3n, moved(SECOND, ACCOUNT, OTHER, 1n)),
  ];
  const used = usedTokens(logs, ACCOUNT);
  expect(historyOf(logs, ACCOUNT, used).map(({ isUnknown }) => isUnknown)).toEqual([false, false, true]);
  expect(holdingCandidates(logs, ACCOUNT)).toEqual([
    { kind: 'erc20', token: TOKEN, isUsed: false },
    { kind: 'erc20', token: SECOND, isUsed: true },
  ]);
});

test('each transaction is one line, the newest first, in the words of confirmations', () => {
  expect(
    titles([
      ...transaction(1n, moved(TOKEN, OTHER, ACCOUNT, 40n)),
      ...transaction(2n, moved(TOKEN, ACCOUNT, OTHER, 7n), moved(SECOND, ACCOUNT, OTHER, 8n)),
      ...transaction(3n, moved(TOKEN, ACCOUNT, OTHER, 1n), moved(SECOND, TOKEN, ACCOUNT, 2950n)),
      ...transaction(4n, allowed(TOKEN, OTHER, MAX_UINT256), allowed(SECOND, OTHER, 3n)),
      ...transaction(5n, [TOKEN, [APPROVAL, word(ACCOUNT), word(OTHER), word(7n)], '0x']),
      ...transaction(6n, moved(TOKEN, ZERO, ACCOUNT, 5n)),
      ...transaction(7n, [TOKEN, [DEPOSIT, word(ACCOUNT)], word(9n)]),
      ...transaction(8n, [
        TOKEN,
        [TRANSFER_SINGLE, word(OTHER), word(OTHER), word(ACCOUNT)],
        `${word(7n)}${word(3n).slice(2)}`,
      ]),
    ]),
  ).toEqual([
    'Received 3 DEMO #7 from Alice',
    'Received 9 DEMO',
    'Received 5 DEMO',
    'Let Alice move 1 DEMO #7',
    'Let Alice spend all DEMO, and 1 more',
    'Swapped 1 DEMO for 2950 EXA',
    'Sent 7 DEMO and 8 EXA to Alice',
    'Received 40 DEMO from Alice',
  ]);
});

test('a transfer of coins that the network logs is said, and is no token', () => {
  const logs = transaction(1n, moved(SYSTEM_TRANSFERS, OTHER, ACCOUNT, 5n));
  expect(titles(logs)).toEqual(['Received 5 wei from Alice']);
  expect(holdingCandidates(logs, ACCOUNT)).toEqual([]);
});

test('coins of an own transaction are added to what it changed, and alone; not to itself, and not twice', () => {
  const [received] = historyOf(transaction(1n, moved(TOKEN, OTHER, ACCOUNT, 5n)), ACCOUNT, new Set());
  const [logged] = historyOf(transaction(1n, moved(SYSTEM_TRANSFERS, ACCOUNT, OTHER, 6n)), ACCOUNT, new Set());
  const title = (entry: HistoryEntry | undefined, ...payments: Payment[]): string | undefined => {
    const found = withOwnCoins(entry, { transaction: word(1n), block: 1n, payments }, ACCOUNT);
    return found && historyTitle(found, WORDS);
  };
  const seven = { to: OTHER, value: 7n };
  expect(title(undefined, { to: ACCOUNT, value: 7n })).toBeUndefined();
  expect(title(undefined, { to: OTHER, value: 0n })).toBeUndefined();
  expect(title(logged, seven)).toBe('Sent 6 wei to Alice');
  expect(title(undefined, seven)).toBe('Sent 7 wei to Alice');
  expect(title(undefined, seven, { to: ACCOUNT, value: 1n }, { to: TOKEN, value: 2n })).toBe(
    'Sent 9 wei to Alice and DEMO',
  );
  expect(title(received, seven)).toBe('Swapped 7 wei for 5 DEMO');
});

test('a user operation that left no other log is an entry, and one that another contract or account claims is none', () => {
  const [entryPoint] = Object.values(ENTRY_POINTS);
  const claimed = (address: Hex, sender: Hex) => {
    const { topics, data } = operationEvent({ entryPoint: address, hash: word(9n), sender });
    return [lowerCase(address), topics, data] as const;
  };
  const logs = [
    ...transaction(1n, claimed(TOKEN, ACCOUNT)),
    ...transaction(2n, claimed(entryPoint!, OTHER)),
    ...transaction(3n, claimed(entryPoint!, ACCOUNT)),
  ];
  const history = historyOf(logs, ACCOUNT, usedTokens(logs, ACCOUNT));
  expect(history.map(({ block, isUnknown }) => [block, isUnknown])).toEqual([[3n, false]]);
  expect(topicsOf(ACCOUNT, 2)[0]).toContain(logs[0]!.topics[0]);
});

describe('whom an entry names', () => {
  const entry = (...logs: readonly (readonly [Hex, readonly Hex[], Hex])[]): HistoryEntry | undefined =>
    historyOf(transaction(1n, ...logs), ACCOUNT, new Set())[0];
  const numbers = (...values: bigint[][]): Hex =>
    encodeAbiParameters(
      values.map(() => ({ type: 'uint256[]' }) as const),
      values,
    );
  const batch = (from: Hex, to: Hex) =>
    [TOKEN, [TRANSFER_BATCH, word(SECOND), word(from), word(to)], numbers([7n], [3n])] as const;
  const item = (from: Hex, to: Hex) =>
    [TOKEN, [TRANSFER_SINGLE, word(SECOND), word(from), word(to)], `${word(7n)}${word(3n).slice(2)}` as Hex] as const;

  it('is who got or sent tokens or items, one by one or many at once', () => {
    for (const made of [batch, item, (from: Hex, to: Hex) => moved(TOKEN, from, to, 3n)]) {
      expect(entry(made(ACCOUNT, OTHER))).toMatchObject({ recipients: [OTHER], senders: [] });
      expect(entry(made(OTHER, ACCOUNT))).toMatchObject({ recipients: [], senders: [OTHER] });
    }
  });

  it('is nobody in what the account moves to itself, in other events, and in topics that are no addresses', () => {
    const dirty = word((1n << 200n) + 1n);
    expect(
      entry(
        moved(TOKEN, ACCOUNT, OTHER, 3n),
        moved(TOKEN, ACCOUNT, ACCOUNT, 3n),
        moved(TOKEN, SECOND, OTHER, 3n),
        [TOKEN, [TRANSFER_TOPIC, dirty, word(ACCOUNT)], word(3n)],
        [TOKEN, [TRANSFER_TOPIC, word(ACCOUNT), dirty], word(3n)],
        [SECOND, [BORROW_ALLOWANCE, word(OTHER), word(ACCOUNT), word(SECOND)], word(3n)],
      ),
    ).toMatchObject({ recipients: [OTHER], senders: [] });
  });

  it('is said for up to two, and not for the zero address', () => {
    const third: Hex = `0x${'e5'.repeat(20)}`;
    const sent = (...to: readonly Hex[]) => transaction(1n, ...to.map((one) => moved(TOKEN, ACCOUNT, one, 1n)));
    expect(titles(sent(OTHER))).toEqual(['Sent 1 DEMO to Alice']);
    expect(titles(sent(OTHER, SECOND))).toEqual(['Sent 2 DEMO to Alice and EXA']);
    expect(titles(sent(OTHER, SECOND, third))).toEqual(['Sent 3 DEMO']);
    expect(titles(sent(OTHER, SECOND, ZERO))).toEqual(['Sent 3 DEMO to Alice and EXA']);
    expect(titles(sent(ZERO))).toEqual(['Sent 1 DEMO']);
  });
});

test('what an entry changed is said by all of its amounts, without those that came to nothing', () => {
  const third: Hex = `0x${'e5'.repeat(20)}`;
  const all = [TOKEN, SECOND, SYSTEM_TRANSFERS].map((token) => moved(token, ACCOUNT, OTHER, 2n));
  expect(titles(transaction(1n, ...all, moved(third, ACCOUNT, OTHER, 1n), moved(third, OTHER, ACCOUNT, 1n)))).toEqual([
    'Sent 2 wei, 2 DEMO and 2 EXA to Alice',
  ]);
});

test('a permission is said alone, or with the number of others', () => {
  expect(titles(transaction(1n, allowed(TOKEN, OTHER, 3n)))).toEqual(['Let Alice spend 3 DEMO']);
  expect(titles(transaction(1n, ...[TOKEN, SECOND, OTHER].map((token) => allowed(token, OTHER, 3n))))).toEqual([
    'Let Alice spend 3 DEMO, and 2 more',
  ]);
});

test('a user operation is an entry however its account is written', () => {
  const { topics, data } = operationEvent({ entryPoint: ENTRY_POINTS['0.7'], hash: word(9n), sender: ACCOUNT });
  const logs = transaction(1n, [lowerCase(ENTRY_POINTS['0.7']), topics, data]);
  for (const account of [ACCOUNT, getAddress(ACCOUNT)])
    expect(historyOf(logs, account, new Set()).map(({ isUnknown }) => isUnknown)).toEqual([false]);
});
