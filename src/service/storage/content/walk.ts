import { type CID } from 'multiformats/cid';
import { keyText } from '../store/block-store';
import { clientFault, CommandError, GivenUpError } from '../errors';
import { type Limits } from './limits';
import { type LoadBlock } from './block-reader';
import { type Link, linksOf } from './codecs';

/** Limits of one traversal. */
export type WalkLimits = {
  /** Maximum depth below the root. */
  readonly depth: number;
  /** Maximum number of distinct blocks. */
  readonly blocks: number;
  /** Maximum number of queued links. */
  readonly pending: number;
};

/** The traversal limits of one request. */
export const walkLimits = ({ dagDepth, dagBlocks, dagPending }: Limits): WalkLimits => ({
  depth: dagDepth,
  blocks: dagBlocks,
  pending: dagPending,
});

export type Visit = { readonly cid: CID; readonly bytes: Uint8Array; readonly links: readonly Link[] };

/** Keys of visited blocks. */
export type Seen = { readonly size: number; has(key: string): boolean; add(key: string): unknown };

/** A block could not be loaded during a traversal; `path` leads from the root to its link. */
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
 * @param options.seen visited blocks, which are skipped; grows. A block under two codecs counts as two, because the
 * codecs may find different links in it.
 * @param options.onUnreadable called for a block that is missing or unreadable; the traversal continues without it.
 * @throws WalkError if a block is missing or unreadable and there is no `onUnreadable`, CommandError if a limit is
 * exceeded, GivenUpError if the request was cancelled.
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
