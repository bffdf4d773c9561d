import { type CID } from 'multiformats/cid';
import { CommandError } from '../errors';
import { DAG_PB, RAW } from '../content/unixfs/file-builder';
import { decodeFileNode, type FileNode, type FileStep, readContent } from '../content/unixfs/file-reader';
import { shardReader } from '../content/unixfs/hamt';
import { decodePb, unixFsOf, UnixFsType } from '../content/unixfs/node';
import { type Extent, Visited } from '../content/visited';
import { allLinks, type ReadStep } from '../content/walk';
import { type Share } from '../../admission/share';
import { extentOf, type Scope } from './scope';

/** Where a walk begins, and how it goes on. */
export type Plan = { readonly extent?: Extent; readonly read: ReadStep<unknown, FileStep> };

const JUST_THIS: Plan = { read: () => ({ node: undefined, below: [] }) };

/**
 * Plans the walk over what a scope includes.
 *
 * @param cid - The last block of the path.
 * @param bytes - Its content.
 * @param memory - Charged for what is remembered of it.
 * @throws {GatewayError} 400 if the scope is a range outside the file.
 * @throws {CommandError} If everything below the block is included, and its links cannot be read.
 */
export function planWalk(cid: CID, bytes: Uint8Array, scope: Scope, memory: Share): Plan {
  if (scope.name === 'block') return JUST_THIS;
  if (scope.name === 'all') {
    allLinks({ cid }, bytes);
    return { read: allLinks };
  }
  const node = entityIn(cid, bytes);
  if (node === undefined) return JUST_THIS;
  if (node === 'shard') return { read: shardReader(new Visited(memory)) };
  if (scope.bytes === undefined) return { read: readContent };
  const extent = extentOf(scope.bytes, node.size);
  return extent === undefined ? JUST_THIS : { extent, read: readContent };
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
