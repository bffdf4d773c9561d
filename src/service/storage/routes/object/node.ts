import { type CID } from 'multiformats/cid';
import { type PBNode } from '@ipld/dag-pb';
import { makeCid } from '../../cids';
import { resolveToBlock } from '../../dag/paths';
import { clientFault, CommandError } from '../../errors';
import { digestOf, SHA2_256 } from '../../hashes';
import { type Call } from '../../route';
import { type StorageService } from '../../service';
import { DAG_PB } from '../../unixfs/fileBuilder';
import { decodePb, encodePb } from '../../unixfs/node';

export type ObjectLink = { readonly Name: string; readonly Hash: string; readonly Size: number };

/** The dag-pb node a path leads to. */
export async function loadNode(path: string, { load }: Pick<Call<unknown>, 'load'>) {
  const cid = await resolveToBlock(path, load);
  const bytes = await load(cid);
  if (cid.code !== DAG_PB) throw new CommandError(`${cid.toString()} is not a dag-pb node`);
  return { cid, bytes, node: decodePb(bytes) };
}

export const objectLinks = (node: PBNode, { format }: Pick<Call<unknown>, 'format'>): ObjectLink[] =>
  node.Links.map(({ Name = '', Hash, Tsize = 0 }) => ({ Name, Hash: format(Hash), Size: Tsize }));

/** Stores a node, pins it for the tenant `pinFor` if there is one, and answers with its CID. */
export async function storeNode(
  { store, limits, pins }: StorageService,
  { session, reply, format }: Pick<Call<unknown>, 'session' | 'reply' | 'format'>,
  node: { Data?: Uint8Array; Links: PBNode['Links'] },
  { version = 0, pinFor }: { version?: CID['version']; pinFor?: string | undefined } = {},
): Promise<void> {
  const bytes = encodePb(node);
  if (bytes.length > limits.blockBytes)
    throw clientFault(`the node is larger than the limit of ${limits.blockBytes} bytes`);
  const cid = makeCid(version, DAG_PB, digestOf(SHA2_256, bytes));
  await session.touch(cid.multihash.bytes);
  await store.put(cid, [bytes]);
  await store.commit();
  if (pinFor !== undefined) await pins.add(pinFor, cid, 'recursive');
  reply.value({ Hash: format(cid) });
}
