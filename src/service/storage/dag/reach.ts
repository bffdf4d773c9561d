import { type CID } from 'multiformats/cid';
import { keyText } from '../blocks/block-index';
import { type BlockStore } from '../blocks/store';
import { CommandError, GivenUpError } from '../errors';
import { IDENTITY } from '../hashes';
import { hasLinks, linksOf } from './codecs';
import { type LoadBlock } from './block-reader';

export type Reached = { readonly cid: CID; readonly links: readonly CID[] };

type OnLost = (cid: CID) => void;

/** The links of a block, those of blocks inside its links' CIDs in place of these; none of what cannot be read. */
async function linksBelow(cid: CID, load: LoadBlock, onLost: OnLost | undefined): Promise<CID[]> {
  const found: CID[] = [];
  const inside = [cid];
  for (let one = inside.pop(); one !== undefined; one = inside.pop()) {
    try {
      for (const { cid: link } of linksOf(one, await load(one))) {
        if (link.multihash.code !== IDENTITY) found.push(link);
        else if (hasLinks(link)) inside.push(link);
      }
    } catch (error) {
      if (!(error instanceof CommandError) || error instanceof GivenUpError) throw error;
      onLost?.(one);
    }
  }
  return found;
}

/**
 * Visits every stored block reachable from `root` once, in no order that matters. Whatever the links say, only blocks that
 * are stored wait to be visited: memory grows with the store, and not with what a hostile graph points to.
 *
 * @param seen what was visited and is not entered again; grows.
 * @param onLost told of what is not stored, once for each link to it, and of what cannot be read.
 */
export async function* reach(
  root: CID,
  store: Pick<BlockStore, 'has'>,
  load: LoadBlock,
  seen: Set<string>,
  onLost?: OnLost,
): AsyncGenerator<Reached> {
  const waiting: CID[] = [];
  const wait = async (cid: CID) => {
    // One block under two codecs counts as two, as long as both may have links.
    const key = `${hasLinks(cid) ? cid.code : ''} ${keyText(cid.multihash.bytes)}`;
    if (seen.has(key)) return;
    if (cid.multihash.code !== IDENTITY && !(await store.has(cid.multihash.bytes))) {
      onLost?.(cid);
      return;
    }
    seen.add(key);
    waiting.push(cid);
  };
  await wait(root);
  for (let cid = waiting.pop(); cid !== undefined; cid = waiting.pop()) {
    const links = hasLinks(cid) ? await linksBelow(cid, load, onLost) : [];
    yield { cid, links };
    for (const link of links) await wait(link);
  }
}
