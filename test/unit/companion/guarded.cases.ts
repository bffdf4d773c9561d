import { getAddress, type Hex, keccak256, pad, toBytes } from 'viem';

import { guardedBy, type GuardedSearch, nodeOfWallet } from '../../../src/companion/model/guarded';
import { ServiceFailedError } from '../../../src/core/errors';
import { type PlacedLog } from '../../../src/core/ledger/placed-log';
import { type NodeReader } from '../../../src/core/safe/recovery/answer';
import { type Chain, GUARDED, MODULE, nodeWith, party, SAFE } from '../../support/recovery-node';
import { type Habits, SimulatedLogs } from '../../support/simulated-logs';

const ADDED = keccak256(toBytes('GuardianAdded(address,address)'));
const ME = party('1');
const LAST = 24_000_000n;
const log = (safe: Hex, more: Partial<PlacedLog> = {}): PlacedLog => ({
  ...{ address: MODULE.address, topics: [ADDED, pad(safe), pad(ME)], data: '0x', blockNumber: 7n },
  ...{ transactionHash: pad('0x1'), logIndex: Number(BigInt(safe) % 1000n) },
  ...more,
});
const FOUND = { safe: SAFE, module: MODULE.address };

type World = { readonly habits?: Habits; readonly chain?: Chain; readonly node?: NodeReader };

/** All progress of a search on a node of the Safe, whose chain has these logs. */
async function search(logs: readonly PlacedLog[], { habits, chain = GUARDED, node }: World = {}) {
  const source = new SimulatedLogs(LAST, logs, habits);
  const all: GuardedSearch[] = [];
  for await (const one of guardedBy(ME, [MODULE], { node: node ?? nodeWith(chain), logs: source })) all.push(one);
  return { all, last: all.at(-1)!, source };
}

it.each<[string, Partial<PlacedLog>]>([
  ['another event', { topics: [pad('0x1'), pad(SAFE), pad(ME)] }],
  ['another guardian', { topics: [ADDED, pad(SAFE), pad(party('2'))] }],
  ['fewer topics', { topics: [ADDED] }],
  ['a block that was not asked for', { blockNumber: LAST + 1n }],
])('believes no node that answers a log of %s', async (_what, change) => {
  const lying = new SimulatedLogs(LAST, []);
  Object.assign(lying, { logs: () => Promise.resolve({ logs: [log(SAFE, change)] }) });
  const searching = guardedBy(ME, [MODULE], { node: nodeWith(GUARDED), logs: lying });
  // The first progress comes before any request for logs.
  expect(await searching.next()).toMatchObject({ value: { found: [] } });
  await expect(searching.next()).rejects.toThrow(
    'The node at simulated.example returned logs that were not asked for.',
  );
});

it('believes no log of another contract', async () => {
  expect((await search([log(SAFE, { address: party('9') })])).last.found).toEqual([]);
});

it('believes no log of a Safe that does not name the guardian now', async () => {
  const others = { ...GUARDED, guardians: [party('2'), party('3')] };
  for (const chain of [others, { ...GUARDED, modules: [] }])
    expect((await search([log(SAFE)], { chain })).last.found).toEqual([]);
});

it('finds the Safes of an address with a checksum, as wallets give it', async () => {
  const guardian = party('b');
  const source = new SimulatedLogs(LAST, [log(SAFE, { topics: [ADDED, pad(SAFE), pad(guardian)] })]);
  const node = nodeWith({ ...GUARDED, guardians: [guardian, party('3')] });
  const all: GuardedSearch[] = [];
  for await (const one of guardedBy(getAddress(guardian), [MODULE], { node, logs: source })) all.push(one);
  expect(all.at(-1)?.found).toEqual([FOUND]);
});

it('finds each Safe once', async () => {
  const { last } = await search([log(SAFE), log(SAFE, { blockNumber: 8n, logIndex: 3 })]);
  expect(last).toEqual({ found: [FOUND], requestsLeft: 0, refusal: undefined });
});

it('searches in parts on a node that limits ranges, the newest blocks first, and says how far it is', async () => {
  const { all, last, source } = await search([log(SAFE, { blockNumber: LAST - 200_000n })], {
    habits: { mostBlocks: 50_000n },
  });
  expect(last).toEqual({ found: [FOUND], requestsLeft: 0, refusal: undefined });
  expect(source.requests).toBeGreaterThan(480);
  expect(all[0]).toMatchObject({ found: [], requestsLeft: 241 });
  // It is shown before the older blocks are searched.
  expect(all.findIndex(({ found }) => found.length === 1)).toBeLessThan(10);
});

it('ends after a thousand requests, and says so instead of that there is none', async () => {
  const { all, last, source } = await search([log(SAFE)], { habits: { mostBlocks: 1000n } });
  expect(last).toEqual({
    found: [],
    requestsLeft: 0,
    refusal: 'The search took 1000 requests and was ended before the oldest blocks.',
  });
  expect(all).toHaveLength(1001);
  expect(source.requests).toBeLessThan(1200);
});

it.each<[string, Habits, string]>([
  ['refuses every request', { prunedBefore: LAST + 1n }, 'history has been pruned for this block'],
  ['falls silent', { hangsAfter: 1 }, 'The node at simulated.example did not respond within 10 s.'],
  ['is too slow for every range', { slowAbove: 0n }, 'The node at simulated.example did not respond within 10 s.'],
])('says that a node %s', async (_what, habits, refusal) => {
  expect((await search([log(SAFE)], { habits })).last).toMatchObject({ found: [], refusal });
});

it('does not say that these are all if newer logs crowd one out, or a Safe could not be read', async () => {
  const refusal = (count: number): object => ({
    refusal: `${count} accounts named this one as a guardian, and not all of them could be looked at.`,
  });
  const crowd = Array.from({ length: 100 }, (_, index) =>
    log(`0x${String(index + 1000).padStart(40, '0')}`, { blockNumber: 9n, logIndex: index }),
  );
  const others = { ...GUARDED, guardians: [party('2'), party('3')] };
  expect((await search([log(SAFE), ...crowd], { chain: others })).last).toMatchObject({ found: [], ...refusal(101) });
  // Whoever crowds it out can make this account a guardian of theirs.
  const { found, ...rest } = (await search([log(SAFE), ...crowd])).last;
  expect([found.length, found.some(({ safe }) => safe === SAFE)]).toEqual([100, false]);
  expect(rest).toMatchObject(refusal(101));
  const honest = nodeWith(GUARDED);
  const node: NodeReader = {
    ask: (method, params, result) =>
      JSON.stringify(params).includes('77777777')
        ? Promise.reject(new ServiceFailedError('silent'))
        : honest.ask(method, params, result),
  };
  expect((await search([log(SAFE), log(party('7'))], { node })).last).toMatchObject({ found: [FOUND], ...refusal(2) });
});

describe('the node of a wallet', () => {
  const wallet = (request: (method: string, params?: unknown) => Promise<unknown>) =>
    nodeOfWallet({ id: 'a', name: 'Wallet A', request: request as never }, [MODULE]);
  const range = { from: 5n, to: 6n };

  it('is asked for the logs of the modules alone', async () => {
    const asked: unknown[] = [];
    const { logs } = wallet((method, params) => {
      asked.push(method, params);
      return Promise.resolve([]);
    });
    expect(await logs.logs([ADDED], range)).toEqual({ logs: [] });
    expect(asked).toEqual([
      'eth_getLogs',
      [{ address: [MODULE.address], fromBlock: '0x5', toBlock: '0x6', topics: [ADDED] }],
    ]);
  });

  it('refuses in its own words', async () => {
    const error = Object.assign(new Error('query exceeds max block range'), { code: -32_005 });
    const { logs } = wallet(() => Promise.reject(error));
    const { refusal } = (await logs.logs([ADDED], range)) as { readonly refusal: string };
    expect(refusal).toContain('query exceeds max block range');
  });

  it('that answers nonsense has not searched', async () => {
    const { logs } = wallet(() => Promise.resolve([{ topics: [] }]));
    expect(await logs.logs([ADDED], range)).toMatchObject({ refusal: expect.stringContaining('Wallet A') as string });
  });

  it('is late after a while', async () => {
    jest.useFakeTimers();
    const { logs } = wallet((method) =>
      method === 'eth_chainId' ? Promise.resolve('0x1') : new Promise(() => undefined),
    );
    const answer = logs.logs([ADDED], range);
    await jest.advanceTimersByTimeAsync(15_000);
    jest.useRealTimers();
    expect(await answer).toEqual({ refusal: 'The node of Wallet A did not respond within 15 s.', isLate: true });
  });
});
