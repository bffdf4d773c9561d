import { CID } from 'multiformats/cid';
import { type PBNode } from '@ipld/dag-pb';
import * as Digest from 'multiformats/hashes/digest';
import { makeCid } from '../../../content/cids';
import { resolveToBlock } from '../../../content/paths';
import { CommandError } from '../../../errors';
import { digestOf, IDENTITY, mustBeSafe, SHA2_256 } from '../../../store/hashes';
import { type Call, loadForAnswer } from '../../route';
import { type StorageService } from '../../service';
import { DAG_PB } from '../../../content/unixfs/file-builder';
import { decodePb } from '../../../content/unixfs/node';
import { blockLimit, tooBig } from '../block/limit';

export type ObjectLink = { readonly Name: string; readonly Hash: string; readonly Size: number };

/** A node takes this many times its block once it is written as JSON. */
export const MEMORY_TIMES = 4;

/** The dag-pb node at a path. @throws CommandError for a block of another codec. */
export async function loadNode(
  path: string,
  call: Pick<Call<unknown>, 'load' | 'memory' | 'cancellation'>,
): Promise<{ readonly bytes: Uint8Array; readonly node: PBNode }> {
  const cid = await resolveToBlock(path, call.load);
  const bytes = await loadForAnswer(cid, call, MEMORY_TIMES);
  if (cid.code !== DAG_PB) throw new CommandError('expected protobuf dag node');
  return { bytes, node: decodePb(bytes) };
}

export const objectLinks = (node: PBNode, { format }: Pick<Call<unknown>, 'format'>): ObjectLink[] =>
  node.Links.map(({ Name = '', Hash, Tsize = 0 }) => ({ Name, Hash: format(Hash), Size: Tsize }));

/** What a new node inherits from the one it is made from. */
export type CidForm = Pick<CID, 'version' | 'multihash'>;

/** The form of nodes made from scratch: version 0. */
export const DEFAULT_FORM: CidForm = { version: 0, multihash: Digest.create(SHA2_256, new Uint8Array(32)) };

function cidLike({ version, multihash: { code, size } }: CidForm, bytes: Uint8Array): CID {
  const whole = digestOf(code, bytes);
  const isCut = code !== IDENTITY && size < whole.size;
  const digest = isCut ? Digest.create(code, whole.digest.subarray(0, size)) : whole;
  mustBeSafe(digest);
  return isCut ? CID.createV1(DAG_PB, digest) : makeCid(version, DAG_PB, digest);
}

/**
 * Stores a dag-pb node; it counts once the caller commits.
 *
 * @throws CommandError if it exceeds the block size limit.
 */
export async function keepNode(
  { limits }: StorageService,
  { session }: Pick<Call<unknown>, 'session'>,
  bytes: Uint8Array,
  { form = DEFAULT_FORM, allowBig }: { form?: CidForm; allowBig: boolean | undefined },
): Promise<CID> {
  const limit = blockLimit(limits, allowBig);
  if (bytes.length > limit) throw tooBig(limit);
  const cid = cidLike(form, bytes);
  if (cid.multihash.code === IDENTITY) return cid;
  await session.put(cid.multihash.bytes, bytes);
  return cid;
}
