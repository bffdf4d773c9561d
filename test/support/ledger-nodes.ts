import { type Hex } from '../../src/core/eth/bytes';
import { tryCanary } from '../../src/core/ledger/canary';
import { unpackLogs } from '../../src/core/ledger/packed-logs';
import { placeOf, type PlacedLog } from '../../src/core/ledger/placed-log';
import { NOTHING_SEARCHED, scan, type ScanProgress, type ScanState } from '../../src/core/ledger/scan';
import { canarySentence, searchedWords } from '../../src/core/ledger/words';
import { TRANSFER_TOPIC } from '../../src/core/simulation/asset-logs';
import { type Habits, SimulatedLogs } from './simulated-logs';

const ACCOUNT: Hex = `0x${'a1'.repeat(20)}`;
const OTHER: Hex = `0x${'b2'.repeat(20)}`;
const LAST = 1_000_000n;
const EVENTS = 40n;

const word = (address: Hex): Hex => `0x${address.slice(2).padStart(64, '0')}`;

/** A transfer to the account. */
const logAt = (blockNumber: bigint): PlacedLog => ({
  address: OTHER,
  data: word('0x1'),
  topics: [TRANSFER_TOPIC, word(OTHER), word(ACCOUNT)],
  blockNumber,
  transactionHash: `0x${blockNumber.toString(16).padStart(64, '0')}`,
  logIndex: 0,
});

/** All along the chain, up to its last block. */
const LOGS = Array.from({ length: Number(EVENTS) }, (_, at) => logAt(((BigInt(at) + 1n) * LAST) / EVENTS));
/** The last of them moved to the block before, in another fork. */
const FORKED = [...LOGS.slice(0, -1), logAt(LAST - 1n)];

const NODES: readonly (readonly [name: string, habits: Habits])[] = [
  ['answers for 10,000 blocks at most', { mostBlocks: 10_000n }],
  ['answers with 5 results at most', { mostLogs: 5 }],
  ['does not answer in time for more than 3,000 blocks', { slowAbove: 3_000n }],
  ['answers `[]` for the older half', { emptyBefore: LAST / 2n }],
  ['answers nothing any more after 60 requests', { mostBlocks: 10_000n, hangsAfter: 60 }],
];

async function finish(
  source: SimulatedLogs,
  before: ScanState = NOTHING_SEARCHED,
): Promise<{ readonly state: ScanState; readonly last: ScanProgress }> {
  let last: ScanProgress | undefined;
  for await (const progress of scan(ACCOUNT, source, before)) last = progress;
  if (last === undefined) throw new Error('a scan reports its progress');
  return { state: last.state(), last };
}

/** What one node did, and what the list of the account says. */
export type NodeRow = {
  readonly node: string;
  readonly requests: number;
  /** The places of the events that are in the ledger. */
  readonly found: ReadonlySet<string>;
  readonly there: ReadonlySet<string>;
  readonly words: string;
};

async function rowOf(node: string, source: SimulatedLogs, before?: ScanState): Promise<NodeRow> {
  const { state, last } = await finish(source, before);
  const { requests } = source;
  // The account knows its newest event and its oldest one from receipts of its own transactions.
  const known = [source.all.at(-1), source.all[0]].flatMap((log) => log ?? []);
  const canary = await tryCanary(state.searched, known, source).catch(() => ({ kind: 'none' }) as const);
  const ended = last.refusal === undefined ? '' : ` The search ended early: “${last.refusal}”`;
  return {
    node,
    requests,
    found: new Set([...unpackLogs(state.logs)].map(placeOf)),
    there: new Set(source.all.map(placeOf)),
    words: `Searched ${searchedWords(state.searched)}. ${canarySentence(canary, source.title)}${ended}`,
  };
}

/** Searches a chain of a million blocks, in which an account has 40 events, with six nodes that real ones are like. */
export async function nodeRows(): Promise<readonly NodeRow[]> {
  const rows: NodeRow[] = [];
  for (const [node, habits] of NODES) rows.push(await rowOf(node, new SimulatedLogs(LAST, LOGS, habits)));
  const { state } = await finish(new SimulatedLogs(LAST, LOGS));
  const forked = new SimulatedLogs(LAST + 5n, FORKED, {}, LAST - 1n);
  return [...rows, await rowOf('reorganised two blocks after an earlier search', forked, state)];
}

/** @returns The rows as a table of Markdown. */
export function nodesTable(rows: readonly NodeRow[]): string {
  const lines = rows.map(({ node, requests, found, there, words }) => {
    const right = [...found].filter((place) => there.has(place)).length;
    return [node, String(requests), `${right} of ${there.size}`, words];
  });
  const all = [['the node', 'requests', 'found', 'what the list says'], ['---', '--:', '--:', '---'], ...lines];
  return all.map((line) => `| ${line.join(' | ')} |`).join('\n');
}
