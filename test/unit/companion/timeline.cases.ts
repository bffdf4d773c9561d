import { type Hash } from 'viem';

import { type Activity } from '../../../src/companion/model/activity';
import { historyWords, rowTitle } from '../../../src/companion/model/history-words';
import { type Facts, factsKey, type Found, isIn, type Row, timelineOf } from '../../../src/companion/model/timeline';
import { isSameAddress } from '../../../src/core/eth/address';
import { type HistoryEntry } from '../../../src/core/ledger/history';
import { ALICE, BOB, DEVNET, GOLD, STANDARD } from '../../support/companion/samples';

const gold = GOLD.toLowerCase() as `0x${string}`;
const hashOf = (digit: string): Hash => `0x${digit.repeat(64)}`;
const [FIRST, SECOND, THIRD] = [hashOf('1'), hashOf('2'), hashOf('3')];
const account = { ...STANDARD, address: ALICE };

const words = historyWords(
  DEVNET,
  () => ({ chainId: DEVNET.chainId, address: GOLD, symbol: 'GOLD', name: 'Gold', decimals: 0 }),
  (address) => (isSameAddress(address, BOB) ? 'Bob' : undefined),
);

const sent = (transactions: readonly Hash[], more: Partial<NonNullable<Activity['sent']>> = {}): Activity => ({
  account: ALICE,
  origin: 'https://app.example',
  at: 5_000,
  chainId: DEVNET.chainId,
  sent: { id: '0x1', calls: 1, status: 200, isUnclear: false, transactions, ...more },
});

const entry = (transaction: Hash, net: bigint, block = 1n): HistoryEntry => ({
  transaction,
  block,
  movements: [{ asset: { kind: 'erc20', token: gold }, net }],
  coins: 0n,
  grants: [],
  recipients: [BOB],
  senders: [BOB],
  isUnknown: false,
});

const found = (history: readonly HistoryEntry[], more: Partial<Found> = {}): Found => ({
  account,
  chain: DEVNET,
  history,
  unlogged: [],
  ...more,
});

const facts = (hash: Hash, more: Partial<Facts> = {}): readonly [string, Facts] => [
  factsKey(DEVNET.chainId, ALICE, hash),
  { block: 1n, at: 4_000, hasFailed: false, fee: 21n, payments: [], ...more },
];

const titles = (rows: readonly Row[]): string[] => rows.map((row) => rowTitle(row, words));

it('lets no other account or network take a transaction for its own', () => {
  const other = { ...DEVNET, chainId: 'eip155:1' } as const;
  const rows = timelineOf(
    [sent([FIRST])],
    [found([entry(FIRST, 5n)], { account: { ...account, address: BOB } }), found([entry(FIRST, 6n)], { chain: other })],
    new Map(),
  );
  expect(titles(rows).sort()).toEqual(['Received 5 GOLD from Bob', 'Received 6 GOLD from Bob', 'Sent a transaction']);
});

it('says nothing of what a transaction sent that failed, or of coins that the network logged', () => {
  const failed = facts(FIRST, { payments: [{ to: BOB, value: 10n ** 18n }], hasFailed: true });
  const logged = facts(SECOND, { payments: [{ to: BOB, value: 10n ** 18n }] });
  const rows = timelineOf(
    [sent([FIRST], { status: 500 }), sent([SECOND])],
    [found([{ ...entry(SECOND, 1n), movements: [], coins: -(10n ** 17n) }])],
    new Map([failed, logged]),
  );
  expect(titles(rows)).toEqual(['Sent a transaction', 'Sent 0.1 ETH to Bob']);
});

it('has one row for a transaction: with the site that asked, what changed, and the fee', () => {
  const rows = timelineOf(
    [sent([FIRST]), sent([SECOND], { calls: 2 })],
    [found([entry(THIRD, 7n), entry(FIRST, -3n)])],
    new Map([
      facts(FIRST, { payer: 'account' }),
      facts(SECOND, { payments: [{ to: BOB, value: 5n * 10n ** 17n }] }),
      facts(THIRD, { at: 9_000 }),
    ]),
  );
  expect(titles(rows)).toEqual(['Received 7 GOLD from Bob', 'Sent 3 GOLD to Bob', 'Sent 0.5 ETH to Bob']);
  expect(rows.map(({ activity, facts: known, at }) => [activity?.origin, known?.fee, at])).toEqual([
    [undefined, 21n, 9_000],
    ['https://app.example', 21n, 5_000],
    ['https://app.example', 21n, 5_000],
  ]);
});

it('has two rows for two operations in one transaction, and tells once what changed', () => {
  const rows = timelineOf([sent([FIRST]), sent([FIRST])], [found([entry(FIRST, -3n)])], new Map());
  expect(titles(rows)).toEqual(['Sent 3 GOLD to Bob', 'Sent a transaction']);
});

it('shows what comes back from the network alone, what is not looked up yet, and what a token changed by itself', () => {
  const unlogged = [{ token: gold, net: -2n, block: 3n, time: 2n }];
  const rows = timelineOf([], [found([entry(SECOND, 7n), entry(FIRST, -3n)], { unlogged })], new Map([facts(FIRST)]));
  expect(titles(rows)).toEqual([
    'Received 7 GOLD from Bob',
    'Sent 3 GOLD to Bob',
    'Lost 2 GOLD: changed by the token itself',
  ]);
  expect(rows.map(({ at }) => at)).toEqual([undefined, 4_000, 2_000]);
});

it('waits for the network before it says what changed', () => {
  expect(
    titles(
      timelineOf([sent([FIRST], { status: 100 })], [], new Map([facts(FIRST, { payments: [{ to: BOB, value: 1n }] })])),
    ),
  ).toEqual(['Sent a transaction']);
});

it('is filtered by account and site; what was not asked for with this wallet has no site', () => {
  const [asked, found2] = timelineOf([sent([FIRST])], [found([entry(SECOND, 7n)])], new Map([facts(SECOND)]));
  const filters = [
    { account: '', origin: '' },
    { account: ALICE.toLowerCase(), origin: '' },
    { account: ALICE, origin: 'https://app.example' },
    { account: BOB, origin: '' },
    { account: ALICE, origin: 'https://other.example' },
  ];
  expect(filters.map((filter) => isIn(asked!, filter))).toEqual([true, true, true, false, false]);
  expect(filters.map((filter) => isIn(found2!, filter))).toEqual([true, true, false, false, false]);
});
