import { type CID } from 'multiformats/cid';
import { keyText } from '../store/block-store';
import { type LoadBlock } from '../content/block-reader';
import { linksOf } from '../content/codecs';
import { clientFault, CommandError } from '../errors';
import { DAG_PB, RAW } from '../content/unixfs/file-builder';
import { decodeFileNode, type FileNode } from '../content/unixfs/file-reader';
import { subshardsOf } from '../content/unixfs/hamt';
import { decodePb, unixFsOf, UnixFsType } from '../content/unixfs/node';
import { type Extent, extentOf, type Scope } from './scope';

/** A block to visit; of a file, with the part of its content that is wanted, and the size that its parent states. */
type Step = { readonly cid: CID; readonly extent?: Extent; readonly size?: number };
/** The steps below a block. */
type Follow = (step: Step, bytes: Uint8Array) => readonly Step[];

const nothing: Follow = () => [];
const everything: Follow = ({ cid }, bytes) => linksOf(cid, bytes);
const shards: Follow = ({ cid }, bytes) => (cid.code === DAG_PB ? subshardsOf(decodePb(bytes)) : []);

/**
 * The children of a file node that have wanted content. A node that may have any size could be visited again for each
 * of them, without an end.
 */
const content: Follow = ({ cid, extent = { from: 0, end: Infinity }, size: stated }, bytes) => {
  const { data, size, children } = decodeFileNode(cid, bytes);
  if (stated !== undefined && stated !== size)
    throw new CommandError(`file node ${cid.toString()} has ${size} bytes but its parent states ${stated}`);
  const steps: Step[] = [];
  let at = data.length;
  for (const child of children) {
    const [from, end] = [Math.max(0, extent.from - at), Math.min(child.size, extent.end - at)];
    at += child.size;
    if (from < end) steps.push({ cid: child.cid, extent: { from, end }, size: child.size });
  }
  return steps;
};

/** A walk: where it starts, and how it goes on. */
export type Walk = { readonly start: Step; readonly follow: Follow };

/**
 * Plans the walk over what a scope includes.
 *
 * @param cid - The last block of the path.
 * @param bytes - Its content.
 * @throws {GatewayError} 400 if the scope is a range outside the file.
 * @throws {CommandError} If everything below the block is included, and its links cannot be read.
 */
export function planWalk(cid: CID, bytes: Uint8Array, scope: Scope): Walk {
  const start = { cid };
  if (scope.name === 'block') return { start, follow: nothing };
  if (scope.name === 'all') {
    linksOf(cid, bytes);
    return { start, follow: everything };
  }
  const node = entityIn(cid, bytes);
  if (node === undefined) return { start, follow: nothing };
  if (node === 'shard') return { start, follow: shards };
  if (scope.bytes === undefined) return { start, follow: content };
  const extent = extentOf(scope.bytes, node.size);
  return extent === undefined ? { start, follow: nothing } : { start: { cid, extent }, follow: content };
}

/** The file or sharded directory that a block is the root of; undefined for anything that is one block. */
function entityIn(cid: CID, bytes: Uint8Array): FileNode | 'shard' | undefined {
  if (cid.code !== RAW && cid.code !== DAG_PB) return undefined;
  try {
    if (cid.code === DAG_PB && unixFsOf(decodePb(bytes))?.type === UnixFsType.Shard) return 'shard';
    return decodeFileNode(cid, bytes);
  } catch (error) {
    // A directory, a symbolic link, or no UnixFS at all.
    if (error instanceof CommandError) return undefined;
    throw error;
  }
}

/** Limits of a walk. */
export type WalkBounds = { readonly blocks: number; readonly depth: number };

/**
 * Visits the blocks of a walk depth first, in the order of their links.
 *
 * @param sent - Keys of blocks that are not to be yielded again; grows. Undefined to yield every occurrence.
 * @throws {CommandError} If a block is missing or cannot be read, or a limit is exceeded.
 */
export async function* walkBlocks(
  { start, follow }: Walk,
  load: LoadBlock,
  bounds: WalkBounds,
  sent: Set<string> | undefined,
): AsyncGenerator<{ readonly cid: CID; readonly bytes: Uint8Array }> {
  const stack = [{ step: start, depth: 0 }];
  let visits = 0;
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { step, depth } = top;
    const key = blockKey(step.cid);
    const isRepeated = sent?.has(key) === true;
    // Another part of the same node leads to other blocks.
    const { extent } = step;
    const visit = extent === undefined || step.cid.code === RAW ? key : `${key} ${extent.from}-${extent.end}`;
    if (sent?.has(visit) === true) continue;
    if (++visits > bounds.blocks) throw clientFault(`the CAR file has more than the allowed ${bounds.blocks} blocks`);
    sent?.add(key).add(visit);
    const bytes = await load(step.cid);
    if (!isRepeated) yield { cid: step.cid, bytes };
    const below = follow(step, bytes);
    if (below.length > 0 && depth >= bounds.depth) throw clientFault(`the DAG is deeper than ${bounds.depth} levels`);
    if (stack.length + below.length > bounds.blocks) throw clientFault('the DAG has too many links side by side');
    for (const next of below.toReversed()) stack.push({ step: next, depth: depth + 1 });
  }
}

/** A block under two codecs counts as two, because they may find different links in it. */
export const blockKey = (cid: CID): string => `${cid.code} ${keyText(cid.multihash.bytes)}`;
