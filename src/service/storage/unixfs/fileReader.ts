import { type CID } from 'multiformats/cid';
import { type LoadBlock } from '../dag/blockReader';
import { CommandError } from '../errors';
import { DAG_PB, RAW } from './fileBuilder';
import { decodePb, unixFsOf, UnixFsType } from './node';

/** Levels a file may have; the balanced layout needs 5 for 2^53 bytes. */
const MAX_LEVELS = 64;
/** Leaves read ahead of the one being sent. */
const READ_AHEAD = 2;

type Child = { readonly cid: CID; readonly size: number };
/** A node of a file: its own bytes, its size with all that is below, and its children. */
export type FileNode = { readonly data: Uint8Array; readonly size: number; readonly children: readonly Child[] };

/**
 * The node of a file.
 *
 * @throws CommandError when the block is a directory, not UnixFS, or contradicts itself.
 */
export function decodeFileNode(cid: CID, bytes: Uint8Array): FileNode {
  if (cid.code === RAW) return { data: bytes, size: bytes.length, children: [] };
  if (cid.code !== DAG_PB) throw new CommandError('unrecognized node type');
  const node = decodePb(bytes);
  const unixFs = unixFsOf(node);
  if (unixFs === undefined) throw new CommandError('not a UnixFS node: the dag-pb data is not a UnixFS message');
  if (unixFs.type === UnixFsType.Directory || unixFs.type === UnixFsType.Shard) {
    throw new CommandError('this dag node is a directory');
  }
  if (unixFs.type !== UnixFsType.File && unixFs.type !== UnixFsType.Raw) {
    throw new CommandError(unixFs.type === UnixFsType.Symlink ? 'this dag node is a symlink' : 'unrecognized type');
  }
  if (unixFs.blockSizes.length !== node.Links.length) {
    throw new CommandError(
      `file node ${cid.toString()} has ${node.Links.length} links but ${unixFs.blockSizes.length} sizes`,
    );
  }
  const children = node.Links.map((link, index) => ({ cid: link.Hash, size: unixFs.blockSizes[index] ?? 0 }));
  const size = children.reduce((sum, child) => sum + child.size, unixFs.data.length);
  if (size !== unixFs.fileSize || !Number.isSafeInteger(size)) {
    throw new CommandError(`file node ${cid.toString()} says ${unixFs.fileSize} bytes but its parts make ${size}`);
  }
  return { data: unixFs.data, size, children };
}

/** A range of a file, in bytes. */
export type Range = { readonly offset: number; readonly length: number };

/**
 * The bytes of a file in order, one piece per leaf, only the blocks the range needs. Every node must have the size its
 * parent gives for it, so what comes out is as long as the root says or ends with an error.
 */
export async function* readFile(root: FileNode, range: Range, load: LoadBlock): AsyncGenerator<Uint8Array> {
  const end = Math.min(root.size, range.offset + range.length);
  const pending: { at: number; node: Promise<FileNode> }[] = [];
  const leaves = leavesOf(root, range.offset, end, load, 0, 0);
  for (;;) {
    while (pending.length < READ_AHEAD) {
      const next = await leaves.next();
      if (next.done === true) break;
      next.value.node.catch(() => undefined);
      pending.push(next.value);
    }
    const first = pending.shift();
    if (first === undefined) return;
    const { data } = await first.node;
    const piece = data.subarray(Math.max(0, range.offset - first.at), Math.max(0, end - first.at));
    if (piece.length > 0) yield piece;
  }
}

type Leaf = { readonly at: number; readonly node: Promise<FileNode> };

/** Nodes that hold content, in order, `at` being the offset of their first byte; children are loaded when reached. */
async function* leavesOf(
  node: FileNode,
  from: number,
  end: number,
  load: LoadBlock,
  base: number,
  level: number,
): AsyncGenerator<Leaf> {
  if (level > MAX_LEVELS) throw new CommandError('the file is nested too deeply');
  if (node.data.length > 0) yield { at: base, node: Promise.resolve(node) };
  let at = base + node.data.length;
  for (const child of node.children) {
    if (at >= end) return;
    if (child.size > 0 && at + child.size > from) yield* childLeaves(child, from, end, load, at, level + 1);
    at += child.size;
  }
}

async function* childLeaves(
  child: Child,
  from: number,
  end: number,
  load: LoadBlock,
  at: number,
  level: number,
): AsyncGenerator<Leaf> {
  const node = loadChild(child, load);
  // A child over a chunk in size is not a leaf: its own children are reached through it.
  if (child.size <= LEAF_BYTES && child.cid.code === RAW) {
    yield { at, node };
    return;
  }
  node.catch(() => undefined);
  if (child.size > LEAF_BYTES) {
    yield* leavesOf(await node, from, end, load, at, level);
    return;
  }
  yield { at, node: node.then((found) => flatten(found, load, level)) };
}

/** Content up to this size is taken to be in one block, so that leaves are read ahead; if it is not, it is collected. */
const LEAF_BYTES = 2 << 20;

async function flatten(node: FileNode, load: LoadBlock, level: number): Promise<FileNode> {
  if (node.children.length === 0) return node;
  const pieces: Uint8Array[] = [];
  for await (const leaf of leavesOf(node, 0, node.size, load, 0, level)) pieces.push((await leaf.node).data);
  return { data: Buffer.concat(pieces), size: node.size, children: [] };
}

async function loadChild(child: Child, load: LoadBlock): Promise<FileNode> {
  const node = decodeFileNode(child.cid, await load(child.cid));
  if (node.size !== child.size) {
    throw new CommandError(`block ${child.cid.toString()} has ${node.size} bytes where its parent says ${child.size}`);
  }
  return node;
}
