import { larger, smaller } from '../eth/units';
import { type Hex } from '../eth/bytes';
import { ownerOf, topicsOf } from './filters';
import { placeOf, type PlacedLog } from './placed-log';
import { type LogSource } from './scan';
import { type BlockRange, countBlocks } from './searched';

/** What a canary needs of a node besides searching. */
export type CanarySource = Pick<LogSource, 'logs'> & {
  /** @returns The hashes of the transactions of a block. */
  readonly transactionsIn: (block: bigint, signal?: AbortSignal) => Promise<readonly Hex[]>;
  /** @returns The logs in the receipt of a transaction; none if the node does not have it. */
  readonly logsOf: (transaction: Hex, signal?: AbortSignal) => Promise<readonly PlacedLog[]>;
};

/**
 * Whether a node finds a log that is there, in each part of the blocks that were searched.
 *
 * - `found`: it found one in each part that had one to look for.
 * - `missing`: it did not find one. So an empty answer of this node means nothing.
 * - `none`: there was no log to look for.
 */
export type CanaryResult =
  | { readonly kind: 'found'; readonly blocks: readonly bigint[] }
  | { readonly kind: 'missing'; readonly block: bigint; readonly transaction: Hex }
  | { readonly kind: 'none' };

/** The searched blocks are looked at in so many parts: some nodes find logs in new blocks only. */
const PARTS = 3n;
/** In each part, so many blocks are looked at, and so many transactions of each. */
const BLOCKS = 4n;
const TRANSACTIONS = 3;
/** The log is looked for in a range around its block, as in a scan. */
const AROUND = 50n;

/** The blocks of a part to look at, from its newest on. */
const sampleOf = ({ from, to }: BlockRange): bigint[] => {
  const step = (to - from) / BLOCKS;
  const blocks = Array.from({ length: Number(BLOCKS) }, (_, at) => to - BigInt(at) * step);
  return [...new Set(blocks)];
};

const partsOf = ({ from, to }: BlockRange): BlockRange[] => {
  const blocks = to - from + 1n;
  if (blocks < PARTS) return [{ from, to }];
  return Array.from({ length: Number(PARTS) }, (_, at) => ({
    from: from + (blocks * BigInt(at)) / PARTS,
    to: from + (blocks * BigInt(at + 1)) / PARTS - 1n,
  }));
};

/** A log of a sampled block that a scan of somebody's account would find. */
async function logToFind(part: BlockRange, source: CanarySource, signal?: AbortSignal): Promise<PlacedLog | undefined> {
  for (const block of sampleOf(part)) {
    const transactions = await source.transactionsIn(block, signal);
    for (const transaction of transactions.slice(0, TRANSACTIONS)) {
      const log = (await source.logsOf(transaction, signal)).find((one) => ownerOf(one) !== undefined);
      if (log !== undefined) return log;
    }
  }
  return undefined;
}

/** @returns Whether a scan of the log's owner finds it. A node that refuses to search has not found it. */
async function isFound(
  log: PlacedLog,
  searched: BlockRange,
  source: CanarySource,
  signal?: AbortSignal,
): Promise<boolean> {
  const owner = ownerOf(log);
  if (owner === undefined) return false;
  const from = log.blockNumber - AROUND;
  const to = log.blockNumber + AROUND;
  const range = { from: larger(from, searched.from), to: smaller(to, searched.to) };
  const topics = topicsOf(owner.account, owner.position);
  for (const asked of [range, { from: log.blockNumber, to: log.blockNumber }]) {
    const answer = await source.logs(topics, asked, signal);
    if ('logs' in answer) return answer.logs.some((one) => placeOf(one) === placeOf(log));
  }
  return false;
}

/**
 * Has a node find logs that are there, by the same kind of request as a scan. Nodes exist that answer an empty list for
 * blocks that have logs, so "nothing found" says little without this.
 *
 * @param known - Logs that the account is known to have, from receipts of its own transactions. They are looked for
 * first.
 */
export async function tryCanary(
  searched: readonly BlockRange[],
  known: Iterable<PlacedLog>,
  source: CanarySource,
  signal?: AbortSignal,
): Promise<CanaryResult> {
  if (countBlocks(searched) === 0n) return { kind: 'none' };
  const whole = searched.reduce((all, { from, to }) => ({
    from: smaller(from, all.from),
    to: larger(to, all.to),
  }));
  const blocks: bigint[] = [];
  for (const part of partsOf(whole)) {
    let log: PlacedLog | undefined;
    for (const own of known) if (own.blockNumber >= part.from && own.blockNumber <= part.to) log = own;
    log ??= await logToFind(part, source, signal);
    if (log === undefined) continue;
    const { blockNumber: block, transactionHash: transaction } = log;
    if (!(await isFound(log, whole, source, signal))) return { kind: 'missing', block, transaction };
    blocks.push(block);
  }
  return blocks.length === 0 ? { kind: 'none' } : { kind: 'found', blocks };
}
