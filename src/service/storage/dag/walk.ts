import { type CID } from 'multiformats/cid';
import { keyText } from '../blocks/block-index';
import { clientFault, CommandError, GivenUpError } from '../errors';
import { type Limits } from '../limits';
import { type LoadBlock } from './block-reader';
import { type Link, linksOf } from './codecs';

/** Bounds of one traversal. */
export type WalkLimits = {
  /** Most levels below the root. */
  readonly depth: number;
  /** Most different blocks. */
  readonly blocks: number;
  /** Most links that wait to be followed. */
  readonly pending: number;
};

/** What one request may walk. */
export const walkLimits = ({ dagDepth, dagBlocks, dagPending }: Limits): WalkLimits => ({
  depth: dagDepth,
  blocks: dagBlocks,
  pending: dagPending,
});

export type Visit = { readonly cid: CID; readonly bytes: Uint8Array; readonly links: readonly Link[] };

/** Keys of the blocks that were visited. */
export type Seen = { readonly size: number; has(key: string): boolean; add(key: string): unknown };

/** A block could not be loaded on the way; `path` leads to its link from the root. */
export class WalkError extends CommandError {
  readonly cid: CID;
  readonly path: string;

  constructor(path: string, cid: CID, cause: CommandError) {
    super(cause.message, cause.code);
    this.path = path;
    this.cid = cid;
  }
}

/**
 * Visits every block reachable from `root` once, depth first in link order (as Kubo does).
 *
 * @param options.seen what was visited and is not entered again; grows. One block under two codecs counts as two: the
 * links that one codec finds in it the other may not.
 * @param options.onUnreadable told of a block that is missing or unreadable; the walk goes on without it.
 * @throws WalkError when a block is missing or unreadable and there is no `onUnreadable`, CommandError when a limit is
 * passed, GivenUpError when the request was given up.
 */
export async function* walkDag(
  root: CID,
  load: LoadBlock,
  limits: WalkLimits,
  { seen = new Set(), onUnreadable }: { seen?: Seen; onUnreadable?: (error: WalkError) => void } = {},
): AsyncGenerator<Visit> {
  const stack: { cid: CID; path: string; depth: number }[] = [{ cid: root, path: '', depth: 0 }];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { cid, path, depth } = top;
    const key = `${cid.code} ${keyText(cid.multihash.bytes)}`;
    if (seen.has(key)) continue;
    seen.add(key);
    if (seen.size > limits.blocks) throw clientFault(`the DAG has more than the allowed ${limits.blocks} blocks`);
    const visit = await read(cid, path, load, onUnreadable);
    if (visit === undefined) continue;
    const { links } = visit;
    yield visit;
    if (links.length > 0 && depth >= limits.depth) {
      throw clientFault(`the DAG is deeper than the allowed ${limits.depth} levels`);
    }
    if (stack.length + links.length > limits.pending) {
      throw clientFault(`the DAG has more than the allowed ${limits.pending} links side by side`);
    }
    for (const link of [...links].reverse()) {
      stack.push({ cid: link.cid, path: path === '' ? link.path : `${path}/${link.path}`, depth: depth + 1 });
    }
  }
}

async function read(
  cid: CID,
  path: string,
  load: LoadBlock,
  onUnreadable: ((error: WalkError) => void) | undefined,
): Promise<Visit | undefined> {
  try {
    const bytes = await load(cid);
    return { cid, bytes, links: linksOf(cid, bytes) };
  } catch (cause) {
    if (!(cause instanceof CommandError) || cause instanceof GivenUpError) throw cause;
    const error = new WalkError(path, cid, cause);
    if (onUnreadable === undefined) throw error;
    onUnreadable(error);
    return undefined;
  }
}
