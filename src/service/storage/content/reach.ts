import { type CID } from 'multiformats/cid';
import { keyText } from '../store/block-store';
import { type BlockStore } from '../store/block-store';
import { CommandError, GivenUpError } from '../errors';
import { IDENTITY } from '../store/hashes';
import { hasLinks, linksOf } from './codecs';
import { type LoadBlock } from './block-reader';

export type Reached = { readonly cid: CID; readonly links: readonly CID[] };

type OnLost = (cid: CID) => void;

/** The links of a block, with identity blocks replaced by their own links; none if the block is unreadable. */
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
 * Visits every stored block reachable from `root` once, in unspecified order. Only stored blocks are queued, whatever
 * the links say: memory grows with the store, not with what a hostile graph points to.
 *
 * @param seen visited blocks, which are skipped; grows.
 * @param onLost called for every link to a block that is not stored, and for every unreadable block.
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
    // A block under two codecs counts as two if both may have links.
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
