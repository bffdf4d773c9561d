import { murmur364 } from '@multiformats/murmur3';
import { type PBLink, type PBNode } from '@ipld/dag-pb';
import { type LoadBlock } from '../block-reader';
import { CommandError } from '../../errors';
import { type Step, type Visited } from '../visited';
import { type Read } from '../walk';
import { decodePb, unixFsOf, UnixFsType } from './node';

const MURMUR3_X64_64 = 0x22;

/** A block of a sharded directory: `bits` of a name's hash lead to a link, whose label has `prefix` digits. */
type Shard = { readonly node: PBNode; readonly bits: number; readonly prefix: number };

/** @throws CommandError if the block is not a shard, or one of a kind that is not supported. */
function decodeShard(bytes: Uint8Array): Shard {
  const node = decodePb(bytes);
  const unixFs = unixFsOf(node);
  if (unixFs?.type !== UnixFsType.Shard) throw new CommandError('a shard of the directory is not a shard');
  const bits = Math.log2(unixFs.fanout);
  if (unixFs.hashType !== MURMUR3_X64_64 || !Number.isInteger(bits) || bits < 1 || bits > 16) {
    throw new CommandError('the sharded directory uses an unsupported hash function or fanout');
  }
  return { node, bits, prefix: (unixFs.fanout - 1).toString(16).length };
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
export async function findInShard(root: Uint8Array, name: string, load: LoadBlock): Promise<PBLink | undefined> {
  let shard = decodeShard(root);
  const { bits, prefix } = shard;
  for await (const step of hashSteps(name, bits)) {
    const label = step.toString(16).toUpperCase().padStart(prefix, '0');
    const direct = shard.node.Links.find((link) => link.Name === label + name);
    if (direct !== undefined) return direct;
    const below = shard.node.Links.find((link) => link.Name === label);
    if (below === undefined) return undefined;
    shard = decodeShard(await load(below.Hash));
  }
  return undefined;
}

/**
 * Reads the shards of a sharded directory: the entries of each, with their names stripped of the label.
 *
 * @param visited - The shards so far. A name has one position, so a shard occurs only once: if it could repeat, a few
 * small blocks would form an infinite directory.
 * @throws CommandError if a block is not a shard, or occurs twice.
 */
export const shardReader =
  (visited: Visited) =>
  (_step: Step, bytes: Uint8Array): Read<{ readonly entries: readonly PBLink[] }, Step> => {
    const { node, prefix } = decodeShard(bytes);
    const entries: PBLink[] = [];
    const below: Step[] = [];
    for (const link of node.Links) {
      const { Name = '', Hash } = link;
      if (Name.length > prefix) entries.push({ ...link, Name: Name.slice(prefix) });
      else if (visited.note({ cid: Hash }) === undefined)
        throw new CommandError(`the sharded directory contains shard ${Hash.toString()} twice`);
      else below.push({ cid: Hash });
    }
    return { node: { entries }, below };
  };
