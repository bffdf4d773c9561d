import { type CID } from 'multiformats/cid';
import { type PBNode } from '@ipld/dag-pb';
import { makeCid } from '../../../content/cids';
import { resolveToBlock } from '../../../content/paths';
import { CommandError } from '../../../errors';
import { digestOf, SHA2_256 } from '../../../store/hashes';
import { type Call, loadForAnswer } from '../../route';
import { type StorageService } from '../../service';
import { DAG_PB } from '../../../content/unixfs/file-builder';
import { decodePb } from '../../../content/unixfs/node';
import { blockLimit, tooBig } from '../block/limit';

/** A node takes this many times its block once it is written as JSON. */
export const MEMORY_TIMES = 4;

/** The dag-pb node at a path. @throws CommandError for a block of another codec. */
export async function loadNode(
  path: string,
  call: Pick<Call<unknown>, 'load' | 'answer' | 'cancellation'>,
): Promise<{ readonly bytes: Uint8Array; readonly node: PBNode }> {
  const cid = await resolveToBlock(path, call.load);
  const bytes = await loadForAnswer(cid, call, MEMORY_TIMES);
  if (cid.code !== DAG_PB) throw new CommandError('expected protobuf dag node');
  return { bytes, node: decodePb(bytes) };
}

export const objectLinks = (node: PBNode, { format }: Pick<Call<unknown>, 'format'>) =>
  node.Links.map(({ Name = '', Hash, Tsize = 0 }) => ({ Name, Hash: format(Hash), Size: Tsize }));

/**
 * Stores a dag-pb node under a CID of version 0.
 *
 * @throws CommandError if it is larger than any block may be.
 */
export async function keepNode(
  { limits, store }: StorageService,
  { session, walker }: Pick<Call<unknown>, 'session' | 'walker'>,
  bytes: Uint8Array,
): Promise<CID> {
  const limit = blockLimit(limits, true);
  if (bytes.length > limit) throw tooBig(limit);
  const cid = makeCid(0, DAG_PB, await digestOf(SHA2_256, bytes, walker.charge));
  await session.put(cid.multihash.bytes, bytes);
  await store.commit();
  return cid;
}
