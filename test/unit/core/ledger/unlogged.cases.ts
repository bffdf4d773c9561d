import { type Hex } from '../../../../src/core/eth/bytes';
import { type ChainState } from '../../../../src/core/ledger/chain-state';
import { type PlacedLog } from '../../../../src/core/ledger/placed-log';
import { unloggedChanges } from '../../../../src/core/ledger/unlogged';
import { TRANSFER_TOPIC } from '../../../../src/core/simulation/asset-logs';

const ACCOUNT: Hex = `0x${'a1'.repeat(20)}`;
const OTHER: Hex = `0x${'b2'.repeat(20)}`;
const TOKEN: Hex = `0x${'c3'.repeat(20)}`;
const SPAM: Hex = `0x${'d4'.repeat(20)}`;

const word = (value: bigint | Hex): Hex =>
  `0x${(typeof value === 'bigint' ? value.toString(16) : value.slice(2)).padStart(64, '0')}`;

let block = 0n;
const moved = (token: Hex, from: Hex, to: Hex, amount: bigint): PlacedLog => ({
  address: token,
  topics: [TRANSFER_TOPIC, word(from), word(to)],
  data: word(amount),
  blockNumber: ++block,
  transactionHash: word(block),
  logIndex: 0,
});

/** The state of a chain on which balances are these. */
const stateOf = (balances: Readonly<Record<string, bigint | undefined>>): ChainState => ({
  block: 100n,
  time: 1_000n,
  calls: async (reads) =>
    Promise.resolve(
      reads.map(({ to }) => {
        const balance = balances[to];
        return balance === undefined ? undefined : word(balance);
      }),
    ),
  reverts: async () => Promise.resolve(undefined),
  code: async () => Promise.resolve('0x'),
  nonce: async () => Promise.resolve(0n),
  storage: async () => Promise.resolve(0n),
  timeOf: async () => Promise.resolve(0n),
});

const LOGS = [moved(TOKEN, OTHER, ACCOUNT, 10n), moved(TOKEN, ACCOUNT, OTHER, 4n)];
const change = (net: bigint) => ({ token: TOKEN, net, block: 100n, time: 1_000n });

test('a token that was only sent to the account, logs what never was, or does not answer, makes no row', async () => {
  const spam = [moved(SPAM, OTHER, ACCOUNT, 10n)];
  const lie = [moved(SPAM, ACCOUNT, OTHER, 10n)];
  expect(await unloggedChanges(spam, ACCOUNT, [], stateOf({ [SPAM]: 99n }))).toEqual([]);
  expect(await unloggedChanges(lie, ACCOUNT, [], stateOf({ [SPAM]: 0n }))).toEqual([]);
  expect(await unloggedChanges(LOGS, ACCOUNT, [], stateOf({}))).toEqual([]);
});

test('a balance that is what the logs say makes no row', async () => {
  expect(await unloggedChanges(LOGS, ACCOUNT, [], stateOf({ [TOKEN]: 6n }))).toEqual([]);
});

test('what came or went without a log is a row, and the next comparison adds only what happened since', async () => {
  const first = await unloggedChanges(LOGS, ACCOUNT, [], stateOf({ [TOKEN]: 9n }));
  expect(first).toEqual([change(3n)]);
  expect(await unloggedChanges(LOGS, ACCOUNT, first, stateOf({ [TOKEN]: 9n }))).toEqual(first);
  expect(await unloggedChanges(LOGS, ACCOUNT, first, stateOf({ [TOKEN]: 1n }))).toEqual([...first, change(-8n)]);
});

test('what came without a log and was spent without one is two rows, though the logs add up to the balance', async () => {
  const before = [change(3n)];
  const returned = [...LOGS, moved(TOKEN, ACCOUNT, OTHER, 6n)];
  expect(await unloggedChanges(returned, ACCOUNT, before, stateOf({ [TOKEN]: 0n }))).toEqual([...before, change(-3n)]);
});
