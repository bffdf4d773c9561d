import fc from 'fast-check';

import { type Hex } from '../../../../src/core/eth/bytes';
import { tryCanary } from '../../../../src/core/ledger/canary';
import {
  AUTHORIZED_OPERATOR,
  BORROW_ALLOWANCE,
  isFoundBy,
  OPERATOR_SET,
  type Topics,
} from '../../../../src/core/ledger/filters';
import { unpackLogs } from '../../../../src/core/ledger/packed-logs';
import { placeOf, type PlacedLog } from '../../../../src/core/ledger/placed-log';
import { NOTHING_SEARCHED, scan, type ScanProgress, type ScanState } from '../../../../src/core/ledger/scan';
import { countBlocks } from '../../../../src/core/ledger/searched';
import {
  APPROVAL,
  DEPOSIT,
  PERMIT2,
  PERMIT2_APPROVAL,
  TRANSFER_SINGLE,
  TRANSFER_TOPIC,
} from '../../../../src/core/simulation/asset-logs';
import { type Habits, SimulatedLogs } from '../../../support/simulated-logs';

const ACCOUNT: Hex = `0x${'a1'.repeat(20)}`;
const OTHER: Hex = `0x${'b2'.repeat(20)}`;
const TOKEN: Hex = `0x${'c3'.repeat(20)}`;
const LAST = 1_000_000n;

const word = (address: Hex): Hex => `0x${address.slice(2).padStart(64, '0')}`;
const zero: Hex = `0x${'0'.repeat(64)}`;

/** Events by topics; the account is in the first one that an event has for it, or nobody is. */
const SHAPES: readonly (readonly [address: Hex, topics: readonly Hex[], isOwn: boolean])[] = [
  [TOKEN, [TRANSFER_TOPIC, word(ACCOUNT), word(OTHER)], true],
  [TOKEN, [TRANSFER_TOPIC, word(OTHER), word(ACCOUNT)], true],
  [TOKEN, [TRANSFER_TOPIC, word(ACCOUNT), word(ACCOUNT)], true],
  [TOKEN, [TRANSFER_TOPIC, word(ACCOUNT), word(OTHER), word('0x07')], true],
  [TOKEN, [APPROVAL, word(ACCOUNT), word(OTHER)], true],
  [PERMIT2, [PERMIT2_APPROVAL, word(ACCOUNT), word(TOKEN), word(OTHER)], true],
  [TOKEN, [DEPOSIT, word(ACCOUNT)], true],
  [TOKEN, [TRANSFER_SINGLE, word(OTHER), word(ACCOUNT), word(OTHER)], true],
  [TOKEN, [TRANSFER_SINGLE, word(OTHER), word(OTHER), word(ACCOUNT)], true],
  [TOKEN, [AUTHORIZED_OPERATOR, word(OTHER), word(ACCOUNT)], true],
  [TOKEN, [OPERATOR_SET, word(ACCOUNT), word(OTHER)], true],
  [TOKEN, [BORROW_ALLOWANCE, word(ACCOUNT), word(OTHER), word(TOKEN)], true],
  [TOKEN, [AUTHORIZED_OPERATOR, word(ACCOUNT), word(OTHER)], false],
  // Of other accounts, and an event in which the account is only the operator.
  [TOKEN, [TRANSFER_TOPIC, word(OTHER), word(OTHER)], false],
  [TOKEN, [APPROVAL, word(OTHER), word(ACCOUNT)], false],
  [TOKEN, [TRANSFER_SINGLE, word(ACCOUNT), word(OTHER), word(OTHER)], false],
];

type Event = readonly [block: bigint, shape: number];

const logsOf = (events: readonly Event[]): PlacedLog[] =>
  [...events]
    .sort(([a], [b]) => Number(a - b))
    .map(([blockNumber, shape], logIndex) => {
      const [address, topics] = SHAPES[shape] ?? [TOKEN, []];
      return {
        address,
        data: zero,
        topics: [...topics],
        blockNumber,
        transactionHash: `0x${logIndex.toString(16).padStart(64, '0')}` as const,
        logIndex,
      };
    });

const isOwn = (log: PlacedLog): boolean => SHAPES.some(([, topics, own]) => own && topics.join() === log.topics.join());

const events = (from = 0n, to = LAST): fc.Arbitrary<Event[]> =>
  fc.array(fc.tuple(fc.bigInt(from, to), fc.nat(SHAPES.length - 1)), { maxLength: 60 });

const placesOf = (logs: Iterable<PlacedLog>): string[] => [...logs].map(placeOf);

async function finish(
  source: SimulatedLogs,
  before: ScanState = NOTHING_SEARCHED,
): Promise<{ readonly state: ScanState; readonly last: ScanProgress }> {
  let last: ScanProgress | undefined;
  for await (const progress of scan(ACCOUNT, source, before)) last = progress;
  if (last === undefined) throw new Error('a scan reports its progress');
  return { state: last.state(), last };
}

describe('a node that lies', () => {
  test.each([
    ['a log of another account', { topics: [TRANSFER_TOPIC, word(OTHER), word(OTHER)] as Hex[] }],
    ['a log of a block that was not asked for', { blockNumber: LAST + 1n }],
    ['another event', { topics: [zero, word(ACCOUNT)] as Hex[] }],
  ])('is not believed when it answers %s', async (_what, change) => {
    const [log] = logsOf([[5n, 0]]);
    const source = new SimulatedLogs(LAST, []);
    const lying = {
      ...source,
      title: source.title,
      logs: async () => Promise.resolve({ logs: [{ ...log!, ...change }] }),
    };
    await expect(async () => {
      const progress = scan(ACCOUNT, lying);
      while ((await progress.next()).done !== true);
    }).rejects.toThrow('The node at simulated.example returned logs that were not asked for.');
  });

  test.each([
    ['after the last', LAST + 1n, true],
    ['at the last', LAST, false],
    ['at the first', LAST - 99_999n, false],
    ['before the first', LAST - 100_000n, true],
  ])('is not believed about a block outside of those asked for: %s', async (_where, blockNumber, isRefused) => {
    const log = { ...logsOf([[5n, 0]])[0]!, blockNumber };
    const source = new SimulatedLogs(LAST, []);
    // It answers only what has the topics, and only once.
    const left = [log];
    const lying = {
      ...source,
      title: source.title,
      logs: async (topics: Topics) => Promise.resolve({ logs: left.splice(0).filter((one) => isFoundBy(topics, one)) }),
    };
    const progress = scan(ACCOUNT, lying);
    await progress.next();
    const next = progress.next();
    await (isRefused
      ? expect(next).rejects.toThrow('The node at simulated.example returned logs that were not asked for.')
      : expect(next).resolves.toMatchObject({ value: { found: 1 } }));
  });

  test('is found out if it answers an empty list for old blocks', async () => {
    const logs = logsOf([
      [10n, 9],
      [LAST - 10n, 0],
    ]);
    const source = new SimulatedLogs(LAST, logs, { emptyBefore: 900_000n });
    const { state } = await finish(source);
    expect(placesOf(unpackLogs(state.logs))).toEqual(placesOf(logs.slice(1)));
    // The old log is nobody's of this account: the receipt of its transaction shows that it is there.
    const known = await source.logsOf(logs[0]!.transactionHash);
    expect(await tryCanary(state.searched, known, source)).toMatchObject({ kind: 'missing', block: 10n });
  });

  test('is found out by a sampled block', async () => {
    const logs = logsOf([[0n, 9]]);
    const source = new SimulatedLogs(2n, logs, { emptyBefore: 1n });
    const { state } = await finish(source);
    expect(await tryCanary(state.searched, [], source)).toMatchObject({ kind: 'missing', block: 0n });
  });
});

test('a canary is found in each part that has a log, and there is none in an empty chain', async () => {
  const source = new SimulatedLogs(
    2n,
    logsOf([
      [0n, 9],
      [2n, 1],
    ]),
  );
  const { state } = await finish(source);
  expect(await tryCanary(state.searched, [], source)).toEqual({ kind: 'found', blocks: [0n, 2n] });
  const empty = new SimulatedLogs(2n, []);
  expect(await tryCanary((await finish(empty)).state.searched, [], empty)).toEqual({ kind: 'none' });
  expect(await tryCanary([], [], empty)).toEqual({ kind: 'none' });
});

const NODES: readonly (readonly [name: string, habits: Habits])[] = [
  ['without limits', {}],
  ['of 2,000 blocks', { mostBlocks: 2_000n }],
  ['of 10 results', { mostLogs: 10 }],
  ['of 10,000 blocks and 3 results', { mostBlocks: 10_000n, mostLogs: 3 }],
  ['that is too slow for more than 3,000 blocks', { slowAbove: 3_000n }],
];

test.each(NODES)('a node %s: all events of the account, and only these', async (_name, habits) => {
  await fc.assert(
    fc.asyncProperty(events(LAST - 100_000n), async (drawn) => {
      // More results in one block than a node gives cannot be had from it.
      const perBlock = new Map<bigint, Event>(drawn.map((event) => [event[0], event]));
      const logs = logsOf(habits.mostLogs === undefined ? drawn : [...perBlock.values()]);
      const { state, last } = await finish(new SimulatedLogs(LAST, logs, habits));
      expect(placesOf(unpackLogs(state.logs))).toEqual(placesOf(logs.filter(isOwn)));
      expect(state.searched).toEqual([{ from: 0n, to: LAST }]);
      expect(last.requestsLeft).toBe(0);
    }),
    { numRuns: 10 },
  );
});

test('a node that no longer has old blocks: what it has, and its words', async () => {
  const logs = logsOf([
    [10n, 0],
    [LAST, 0],
  ]);
  const { state, last } = await finish(new SimulatedLogs(LAST, logs, { prunedBefore: 600_000n }));
  expect(placesOf(unpackLogs(state.logs))).toEqual(placesOf(logs.slice(1)));
  expect(state.searched).toEqual([{ from: 600_000n, to: LAST }]);
  expect(state.refused).toEqual([{ from: 599_997n, to: 599_999n }]);
  expect(last.refusal).toBe('history has been pruned for this block');
});

test('a node that falls silent: what it said before, the gap, and its words', async () => {
  const logs = logsOf([
    [10n, 0],
    [LAST, 0],
  ]);
  const source = new SimulatedLogs(LAST, logs, { mostBlocks: 1_000n, hangsAfter: 30 });
  const { state, last } = await finish(source);
  expect(placesOf(unpackLogs(state.logs))).toEqual(placesOf(logs.slice(1)));
  const [range] = state.searched;
  expect(range).toMatchObject({ to: LAST });
  expect(range!.from).toBeGreaterThan(990_000n);
  expect(last.refusal).toBe('The node at simulated.example did not respond within 10 s.');
  const { state: whole, last: end } = await finish(new SimulatedLogs(LAST, logs), state);
  expect(placesOf(unpackLogs(whole.logs))).toEqual(placesOf(logs));
  expect(end.refusal).toBeUndefined();
});

test('a node that is late for many blocks is asked for a tenth of them', async () => {
  const source = new SimulatedLogs(LAST, [], { slowAbove: 0n });
  const { state, last } = await finish(source);
  expect(state.searched).toEqual([]);
  expect(last.refusal).toBe('The node at simulated.example did not respond within 10 s.');
  // Each of them waits until the time limit.
  expect(source.requests).toBe(8);
});

test('a block that is refused on its own is passed over and said', async () => {
  const logs = logsOf([...Array.from({ length: 20 }, (): Event => [700_000n, 0]), [5n, 0]]);
  const { state, last } = await finish(new SimulatedLogs(LAST, logs, { mostLogs: 10 }));
  expect(placesOf(unpackLogs(state.logs))).toEqual(placesOf(logs.slice(0, 1)));
  expect(state.refused).toEqual([{ from: 700_000n, to: 700_000n }]);
  expect(last.refusal).toBeUndefined();
  expect(last.requestsLeft).toBe(0);
});

test('what is newest is found first, and a scan that was stopped goes on where it stopped', async () => {
  await fc.assert(
    fc.asyncProperty(events(), fc.integer({ min: 1, max: 12 }), async (drawn, stop) => {
      const logs = logsOf(drawn);
      const habits = { mostBlocks: 90_000n };
      let first: ScanProgress | undefined;
      let ranges = 0;
      for await (const progress of scan(ACCOUNT, new SimulatedLogs(LAST, logs, habits))) {
        first = progress;
        if (ranges++ === stop) break;
      }
      const state = first!.state();
      const [{ from } = { from: LAST }] = state.searched;
      expect(placesOf(unpackLogs(state.logs))).toEqual(
        placesOf(logs.filter((log) => isOwn(log) && log.blockNumber >= from)),
      );
      const rest = new SimulatedLogs(LAST + 10n, logs, habits);
      const { state: whole } = await finish(rest, state);
      expect(placesOf(unpackLogs(whole.logs))).toEqual(placesOf(logs.filter(isOwn)));
      expect(whole.searched).toEqual([{ from: 0n, to: LAST + 10n }]);
      const again = new SimulatedLogs(LAST + 10n, logs, habits);
      await finish(again, whole);
      // Only the newest blocks are asked for again.
      expect(again.requests).toBe(3);
    }),
    { numRuns: 15 },
  );
});

test('what a reorganisation took back is dropped, and what it brought is found', async () => {
  await fc.assert(
    fc.asyncProperty(
      events(0n, LAST - 50n),
      events(LAST - 49n, LAST),
      events(LAST - 49n, LAST + 5n),
      async (old, gone, come) => {
        const early = await finish(new SimulatedLogs(LAST - 50n, logsOf(old)));
        const { state } = await finish(new SimulatedLogs(LAST, logsOf([...old, ...gone])), early.state);
        const logs = logsOf([...old, ...come]);
        const forked = new SimulatedLogs(LAST + 5n, logs, {}, LAST - 49n);
        const { state: now } = await finish(forked, state);
        expect(placesOf(unpackLogs(now.logs))).toEqual(placesOf(logs.filter(isOwn)));
        expect(countBlocks(now.searched)).toBe(LAST + 6n);
      },
    ),
    { numRuns: 15 },
  );
});

test('another chain than before: everything is searched again', async () => {
  const { state } = await finish(new SimulatedLogs(LAST, logsOf([[5n, 0]])));
  const { state: now } = await finish(new SimulatedLogs(LAST, [], {}, 0n), state);
  expect(now.logs).toHaveLength(0);
  expect(now.searched).toEqual([{ from: 0n, to: LAST }]);
});

test('before any request for logs, a scan tells how many it may take', async () => {
  const source = new SimulatedLogs(LAST, []);
  const { value } = await scan(ACCOUNT, source).next();
  expect(value).toMatchObject({ requestsLeft: 33, found: 0, head: LAST });
  expect(source.requests).toBe(0);
});

test('the number of events that were found counts old ones and those in the newest blocks', async () => {
  const logs = logsOf([
    [10n, 0],
    [11n, 0],
    [LAST - 64n, 0],
    [LAST - 63n, 0],
    [LAST, 0],
  ]);
  const counts: number[] = [];
  for await (const { found } of scan(ACCOUNT, new SimulatedLogs(LAST, logs, { mostBlocks: 500_000n })))
    counts.push(found);
  expect(counts[0]).toBe(0);
  expect(counts[1]).toBe(3);
  expect(counts.at(-1)).toBe(5);
});

describe('what is kept between two scans', () => {
  const marksOf = ({ marks }: ScanState) => marks.map(({ number }) => number);

  it('is the block of each of them, once', async () => {
    const first = await finish(new SimulatedLogs(100n, []));
    expect(marksOf(first.state)).toEqual([100n]);
    const again = await finish(new SimulatedLogs(100n, []), first.state);
    expect(marksOf(again.state)).toEqual([100n]);
    const second = await finish(new SimulatedLogs(120n, []), again.state);
    expect(marksOf(second.state)).toEqual([100n, 120n]);
    // A node that is behind has not seen the newest of them.
    expect(marksOf((await finish(new SimulatedLogs(110n, []), second.state)).state)).toEqual([100n, 110n]);
  });

  it('is each block that is still on the chain after a reorganisation', async () => {
    let state = NOTHING_SEARCHED;
    for (const last of [100n, 120n, 140n]) ({ state } = await finish(new SimulatedLogs(last, []), state));
    const after = await finish(new SimulatedLogs(150n, [], {}, 130n), state);
    expect(marksOf(after.state)).toEqual([100n, 120n, 150n]);
    expect(marksOf((await finish(new SimulatedLogs(150n, [], {}, 110n), state)).state)).toEqual([100n, 150n]);
  });

  it('are the newest 50 of these blocks', async () => {
    let state = NOTHING_SEARCHED;
    for (let last = 1n; last <= 52n; last++) ({ state } = await finish(new SimulatedLogs(last, []), state));
    expect([marksOf(state).length, marksOf(state)[0], marksOf(state).at(-1)]).toEqual([50, 3n, 52n]);
  });

  it('is each event once, wherever the newest blocks begin that are searched again', async () => {
    const logs = logsOf([35n, 36n, 37n, 99n, 100n].map((block): Event => [block, 0]));
    const first = await finish(new SimulatedLogs(100n, logs));
    for (const last of [100n, 101n]) {
      const { state, last: end } = await finish(new SimulatedLogs(last, logs), first.state);
      expect(placesOf(unpackLogs(state.logs))).toEqual(placesOf(logs));
      expect(countBlocks(state.searched)).toBe(last + 1n);
      expect(end.requestsLeft).toBe(0);
    }
  });
});
