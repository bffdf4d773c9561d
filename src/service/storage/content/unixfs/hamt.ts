import { murmur364 } from '@multiformats/murmur3';
import { type PBLink, type PBNode } from '@ipld/dag-pb';
import { type CID } from 'multiformats/cid';
import { keyText } from '../../store/block-store';
import { type LoadBlock } from '../block-reader';
import { CommandError } from '../../errors';
import { decodePb, type UnixFs, unixFsOf, UnixFsType } from './node';

const MURMUR3_X64_64 = 0x22;
/** Maximum depth of a HAMT: a 64-bit hash is used up after this many one-bit steps. */
const MAX_LEVELS = 64;

type Shard = { readonly node: PBNode; readonly unixFs: UnixFs };

function shardLayout({ unixFs }: Shard): { bits: number; prefix: number } {
  const bits = Math.log2(unixFs.fanout);
  if (unixFs.hashType !== MURMUR3_X64_64 || !Number.isInteger(bits) || bits < 1 || bits > 16) {
    throw new CommandError('the sharded directory uses an unsupported hash function or fanout');
  }
  return { bits, prefix: (unixFs.fanout - 1).toString(16).length };
}

async function loadShard(link: PBLink, load: LoadBlock): Promise<Shard> {
  const node = decodePb(await load(link.Hash));
  const unixFs = unixFsOf(node);
  if (unixFs?.type !== UnixFsType.Shard) throw new CommandError('a shard of the directory is not a shard');
  return { node, unixFs };
}

/** The hash that determines a name's position in a sharded directory: 8 bytes. */
export async function nameHash(name: string): Promise<Uint8Array> {
  return (await murmur364.digest(new TextEncoder().encode(name))).digest;
}

/** The bits of the name's hash, in groups from the front. */
async function* hashSteps(name: string, bits: number): AsyncGenerator<number> {
  let value = 0n;
  for (const byte of await nameHash(name)) value = (value << 8n) | BigInt(byte);
  for (let used = bits; used <= 64; used += bits) {
    yield Number((value >> BigInt(64 - used)) & ((1n << BigInt(bits)) - 1n));
  }
}

/** Finds the entry `name` of a sharded directory; `undefined` if there is none. */
export async function findInShard(
  root: { node: PBNode; unixFs: UnixFs },
  name: string,
  load: LoadBlock,
): Promise<PBLink | undefined> {
  let shard: Shard = root;
  const { bits, prefix } = shardLayout(root);
  for await (const step of hashSteps(name, bits)) {
    const label = step.toString(16).toUpperCase().padStart(prefix, '0');
    const direct = shard.node.Links.find((link) => link.Name === label + name);
    if (direct !== undefined) return direct;
    const below = shard.node.Links.find((link) => link.Name === label);
    if (below === undefined) return undefined;
    shard = await loadShard(below, load);
  }
  return undefined;
}

/**
 * The shards below a node of a sharded directory, in order.
 *
 * @throws CommandError if it is not such a node.
 */
export function subshardsOf(node: PBNode): readonly { readonly cid: CID }[] {
  const unixFs = unixFsOf(node);
  if (unixFs?.type !== UnixFsType.Shard) throw new CommandError('a shard of the directory is not a shard');
  const { prefix } = shardLayout({ node, unixFs });
  return node.Links.filter(({ Name = '' }) => Name.length <= prefix).map(({ Hash }) => ({ cid: Hash }));
}

/**
 * All entries of a sharded directory, with their names stripped of the label.
 *
 * @param seen the shards so far. A name has one position, so a shard occurs only once: if it could repeat, a few small
 * blocks would form an infinite directory.
 */
export async function* shardEntries(
  shard: { node: PBNode; unixFs: UnixFs },
  load: LoadBlock,
  level = 0,
  seen = new Set<string>(),
): AsyncGenerator<PBLink> {
  const { prefix } = shardLayout(shard);
  if (level > MAX_LEVELS) throw new CommandError('the sharded directory is nested too deeply');
  for (const link of shard.node.Links) {
    const name = link.Name ?? '';
    if (name.length > prefix) yield { ...link, Name: name.slice(prefix) };
    else {
      const key = keyText(link.Hash.multihash.bytes);
      if (seen.has(key)) throw new CommandError(`the sharded directory contains shard ${link.Hash.toString()} twice`);
      seen.add(key);
      yield* shardEntries(await loadShard(link, load), load, level + 1, seen);
    }
  }
}
