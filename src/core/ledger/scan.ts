import { ServiceFailedError, ServiceSilentError } from '../errors';
import { larger } from '../eth/units';
import { type Hex } from '../eth/bytes';
import { isFoundBy, OWNER_POSITIONS, type Topics, topicsOf } from './filters';
import { joined, logsBetween, type PackedLogs, packLogs, unpackLogs } from './packed-logs';
import { inOrder, placeOf, type PlacedLog } from './placed-log';
import { type BlockMark, type BlockRange, countBlocks, newestGap, upTo, withRange } from './searched';

/** The answer to a request for logs: the logs, or the node's words if it refuses the request or answers too late. */
export type LogsAnswer =
  | { readonly logs: readonly PlacedLog[] }
  | { readonly refusal: string; readonly isLate?: boolean };

/** The node's side of a scan. Its methods throw if the node cannot be reached; each request has a time limit. */
export type LogSource = {
  /** The name of the node for messages, such as "the node at node.example". */
  readonly title: string;
  readonly head: (signal?: AbortSignal) => Promise<BlockMark>;
  /** @returns The hash of the block with this number; undefined if there is none. */
  readonly hashOf: (block: bigint, signal?: AbortSignal) => Promise<Hex | undefined>;
  readonly logs: (topics: Topics, range: BlockRange, signal?: AbortSignal) => Promise<LogsAnswer>;
};

/** What is kept of the scans of an account on a network, so that the next one goes on where the last one stopped. */
export type ScanState = {
  /** In order, and none touches the next. */
  readonly searched: readonly BlockRange[];
  /** Blocks that the node refuses to search. */
  readonly refused: readonly BlockRange[];
  /** Blocks at which scans began, the newest last. A block that has another hash now was reorganised away. */
  readonly marks: readonly BlockMark[];
  readonly logs: PackedLogs;
};

export const NOTHING_SEARCHED: ScanState = { searched: [], refused: [], marks: [], logs: new Uint8Array() };

/** How far a scan is. */
export type ScanProgress = {
  /** @returns What is known so far. */
  readonly state: () => ScanState;
  /** The number of logs that were found in this scan, and earlier in the newest blocks. */
  readonly found: number;
  /** The newest block when the scan began. */
  readonly head: bigint;
  /** How many requests the rest takes if the node answers as it did so far; 0 at the end. */
  readonly requestsLeft: number;
  /** Why the scan ended early: the node's words. */
  readonly refusal?: string;
};

/** Blocks of the first request. Most nodes refuse it, and say so at once. */
const FIRST_RANGE = 100_000n;
const MAX_RANGE = 10_000_000n;
/** After so many answers in a row, a size that was refused is tried again. */
const ANSWERS_TO_GROW = 10;
/** A node that refuses so many single blocks in a row does not have them. */
const MAX_REFUSED_BLOCKS = 3;
/** So many of the newest blocks are searched each time. */
const NEWEST = 64n;
/** The newest marks are kept. */
const MAX_MARKS = 50;

/** The size of the next request, by what the node refused. */
class RangeSize {
  #blocks = FIRST_RANGE;
  #refused = MAX_RANGE + 1n;
  #answered = 0;

  get blocks(): bigint {
    return this.#blocks;
  }

  /** @param isLate - The node needs long for a refusal, so that fewer are risked. */
  refuse(blocks: bigint, isLate: boolean): void {
    this.#refused = blocks;
    this.#answered = 0;
    this.#blocks = larger(blocks / (isLate ? 10n : 2n), 1n);
  }

  answer(): void {
    this.#answered++;
    const isPatient = this.#answered % ANSWERS_TO_GROW === 0;
    const larger = this.#blocks * 2n;
    if (larger <= MAX_RANGE && (larger < this.#refused || isPatient)) this.#blocks = larger;
  }
}

/** Drops what was found in blocks that are not on the chain any more. */
async function withoutReorganised(state: ScanState, source: LogSource, signal?: AbortSignal): Promise<ScanState> {
  for (const [at, mark] of [...state.marks.entries()].reverse()) {
    if ((await source.hashOf(mark.number, signal)) !== mark.hash) continue;
    if (at === state.marks.length - 1) return state;
    return {
      searched: upTo(state.searched, mark.number),
      refused: upTo(state.refused, mark.number),
      marks: state.marks.slice(0, at + 1),
      logs: logsBetween(state.logs, { from: 0n, to: mark.number }),
    };
  }
  return NOTHING_SEARCHED;
}

/** Answers of a node that were not asked for are a fault of the node. */
function assertAskedFor(
  logs: readonly PlacedLog[],
  topics: Topics,
  { from, to }: BlockRange,
  { title }: LogSource,
): void {
  if (logs.every((log) => log.blockNumber >= from && log.blockNumber <= to && isFoundBy(topics, log))) return;
  throw new ServiceFailedError(`T${title.slice(1)} returned logs that were not asked for.`);
}

/** All logs in a range, or the node's words if it refuses one of the requests. */
async function logsIn(
  range: BlockRange,
  searches: readonly Topics[],
  source: LogSource,
  signal?: AbortSignal,
): Promise<LogsAnswer> {
  const found: PlacedLog[] = [];
  for (const topics of searches) {
    const answer = await source.logs(topics, range, signal);
    if ('refusal' in answer) return answer;
    assertAskedFor(answer.logs, topics, range, source);
    for (const log of answer.logs) found.push(log);
  }
  return { logs: found };
}

/**
 * Searches the chain for the events of an account, the newest blocks first, in three requests for each range of blocks.
 * Ranges get smaller when the node refuses one, and grow again. The consumer may stop at any time: the state has what
 * was found so far.
 *
 * @param wanted - The account, or the topics of other events: a request for each.
 * @param before - The state that the last scan left.
 * @returns Progress after each range. The first is before any request for logs.
 * @throws {ServiceFailedError} If the node cannot be reached at the beginning, or answers what was not asked for. If it
 * falls silent later, the scan ends early with its error as `refusal`.
 */
export async function* scan(
  wanted: Hex | readonly Topics[],
  source: LogSource,
  before: ScanState = NOTHING_SEARCHED,
  signal?: AbortSignal,
): AsyncGenerator<ScanProgress, void, undefined> {
  const searches = typeof wanted === 'string' ? OWNER_POSITIONS.map((position) => topicsOf(wanted, position)) : wanted;
  const head = await source.head(signal);
  const kept = await withoutReorganised(before, source, signal);
  const marks = [...kept.marks.filter(({ number }) => number < head.number), head].slice(-MAX_MARKS);
  // A node behind a balancer may not have had the newest blocks' logs yet: they are always asked for again.
  const settled = head.number - NEWEST;
  let searched: readonly BlockRange[] = upTo(kept.searched, settled);
  // They are asked for again: another node may have them now.
  let refused: readonly BlockRange[] = [];
  // No two ranges overlap.
  const parts = searched.map((range) => ({ ...range, logs: logsBetween(kept.logs, range) }));
  let found = 0;
  const newest = new Map<string, PlacedLog>();
  for (const log of unpackLogs(kept.logs)) if (log.blockNumber > settled) newest.set(placeOf(log), log);
  const size = new RangeSize();
  let refusedBlocks = 0;

  const progress = (refusal?: string): ScanProgress => {
    const done = countBlocks(upTo(searched, head.number)) + countBlocks(upTo(refused, head.number));
    const left = refusal === undefined ? head.number + 1n - done : 0n;
    return {
      head: head.number,
      requestsLeft: Number((left + size.blocks - 1n) / size.blocks) * searches.length,
      found: found + newest.size,
      state: () => ({
        searched,
        refused,
        marks,
        logs: joined([
          ...parts.sort((a, b) => (a.from < b.from ? -1 : 1)).map(({ logs }) => logs),
          packLogs([...newest.values()].sort(inOrder)),
        ]),
      }),
      ...(refusal !== undefined && { refusal }),
    };
  };

  yield progress();
  for (;;) {
    const done = refused.reduce(withRange, [...searched]);
    const range = newestGap(done, head.number, size.blocks);
    if (range === undefined) return;
    const blocks = range.to - range.from + 1n;
    const answer = await logsIn(range, searches, source, signal).catch((error: unknown) => {
      if (error instanceof ServiceSilentError) return error;
      throw error;
    });
    if (answer instanceof ServiceSilentError) {
      yield progress(answer.message);
      return;
    }
    if ('logs' in answer) {
      refusedBlocks = 0;
      const older = new Map<string, PlacedLog>();
      for (const log of answer.logs) (log.blockNumber > settled ? newest : older).set(placeOf(log), log);
      parts.push({ ...range, logs: packLogs([...older.values()].sort(inOrder)) });
      found += older.size;
      searched = withRange(searched, range);
      size.answer();
      yield progress();
    } else if (blocks > 1n) size.refuse(blocks, answer.isLate === true);
    else {
      refused = withRange(refused, range);
      refusedBlocks++;
      yield progress(refusedBlocks >= MAX_REFUSED_BLOCKS ? answer.refusal : undefined);
      if (refusedBlocks >= MAX_REFUSED_BLOCKS) return;
    }
  }
}
