import { type CID } from 'multiformats/cid';
import { type LoadBlock } from '../block-reader';
import { decodeBlock } from '../codecs';
import { CommandError } from '../../errors';
import { DAG_PB, RAW } from './file-builder';
import { decodePb, mustBeUnixFs, UnixFsType } from './node';

/** Maximum depth of a file; the balanced layout needs 5 levels for 2^53 bytes. */
const MAX_LEVELS = 64;
/** Leaves are loaded in groups while the previous group is sent: at most this many, and none after this many bytes. */
const GROUP_LEAVES = 8;
const GROUP_BYTES = 1 << 20;
/**
 * Content up to this size is assumed to be in one block, so that leaves are read ahead; otherwise its leaves are
 * collected.
 */
const LEAF_BYTES = 2 << 20;

type Child = { readonly cid: CID; readonly size: number };
/** A node of a file: its own bytes, its total size including children, and its children. */
export type FileNode = { readonly data: Uint8Array; readonly size: number; readonly children: readonly Child[] };

/**
 * Decodes the node of a file.
 *
 * @throws CommandError if the block is a directory, not UnixFS, or inconsistent.
 */
export function decodeFileNode(cid: CID, bytes: Uint8Array): FileNode {
  if (cid.code === RAW) return { data: bytes, size: bytes.length, children: [] };
  if (cid.code !== DAG_PB) {
    // Report an undecodable block before reporting that it is not a file.
    decodeBlock(cid, bytes);
    throw new CommandError('unknown node type');
  }
  const node = decodePb(bytes);
  const unixFs = mustBeUnixFs(node);
  if (unixFs.type === UnixFsType.Directory || unixFs.type === UnixFsType.Shard) {
    throw new CommandError('this dag node is a directory');
  }
  if (unixFs.type !== UnixFsType.File && unixFs.type !== UnixFsType.Raw) {
    throw new CommandError(unixFs.type === UnixFsType.Symlink ? 'operation not supported' : 'unrecognized node type');
  }
  if (unixFs.blockSizes.length !== node.Links.length) {
    throw new CommandError(
      `file node ${cid.toString()} has ${node.Links.length} links but ${unixFs.blockSizes.length} sizes`,
    );
  }
  const children = node.Links.map((link, index) => ({ cid: link.Hash, size: unixFs.blockSizes[index] ?? 0 }));
  const size = children.reduce((sum, child) => sum + child.size, unixFs.data.length);
  if (size !== unixFs.fileSize || !Number.isSafeInteger(size)) {
    throw new CommandError(
      `file node ${cid.toString()} states ${unixFs.fileSize} bytes but its parts add up to ${size}`,
    );
  }
  return { data: unixFs.data, size, children };
}

/** A range of a file, in bytes. */
export type Range = { readonly offset: number; readonly length: number };

/**
 * The bytes of a file in order, in groups with one piece per leaf, reading only the blocks that the range needs. Every
 * node must have the size its parent states, so the output is as long as the root says or ends with an error.
 */
export async function* readFile(
  root: FileNode,
  { offset, length }: Range,
  load: LoadBlock,
): AsyncGenerator<readonly Uint8Array[]> {
  const end = Math.min(root.size, offset + length);
  const walk = new LeafWalk(root, offset, end, load);
  let ahead = walk.next();
  for (;;) {
    const leaves = await ahead;
    if (leaves.length === 0) return;
    ahead = walk.next();
    ahead.catch(() => undefined);
    const pieces: Uint8Array[] = [];
    try {
      for (const { at, node } of leaves) {
        const piece = (await node).data.subarray(Math.max(0, offset - at), Math.max(0, end - at));
        if (piece.length > 0) pieces.push(piece);
      }
    } catch (error) {
      // Pieces before a missing block are still delivered.
      if (pieces.length > 0) yield pieces;
      throw error;
    }
    if (pieces.length > 0) yield pieces;
  }
}

/** A node with content, and the offset of its first byte in the file. */
type Leaf = { readonly at: number; readonly node: Promise<FileNode> };
/** A position on the way down: the next child to visit, and the offset of its first byte. */
type Step = { readonly children: readonly Child[]; next: number; at: number };

/** Visits the content nodes of a file in order; children are loaded when they are reached. */
class LeafWalk {
  readonly #from: number;
  readonly #end: number;
  readonly #load: LoadBlock;
  /** Levels above the root of this walk. */
  readonly #above: number;
  readonly #path: Step[] = [];
  /** The own content of the node just entered, which precedes that of its children. */
  #own: Leaf | undefined;

  /** @param from and `end` are offsets in bytes: nodes without content between them are not loaded. */
  constructor(root: FileNode, from: number, end: number, load: LoadBlock, above = 0) {
    this.#from = from;
    this.#end = end;
    this.#load = load;
    this.#above = above;
    this.#enter(root, 0);
  }

  /**
   * The next group of leaves, with loading started; empty at the end of the range. A node that cannot be loaded is the
   * last of its group, with a promise that rejects.
   */
  async next(): Promise<Leaf[]> {
    const leaves: Leaf[] = [];
    let bytes = 0;
    while (leaves.length < GROUP_LEAVES && bytes < GROUP_BYTES) {
      if (this.#own !== undefined) {
        leaves.push(this.#own);
        this.#own = undefined;
      }
      const found = this.#nextChild();
      if (found === undefined) break;
      const { child, at } = found;
      const node = loadChild(child, this.#load);
      node.catch(() => undefined);
      if (child.size <= LEAF_BYTES) {
        bytes += child.size;
        leaves.push({ at, node: child.cid.code === RAW ? node : this.#flattened(node) });
        continue;
      }
      const inner = await node.catch(() => undefined);
      if (inner === undefined) {
        // In order among the leaves, so that those before it are delivered before its error.
        leaves.push({ at, node });
        break;
      }
      this.#enter(inner, at);
    }
    return leaves;
  }

  /** The next child with content in the range; moves up from nodes that have no more. */
  #nextChild(): { readonly child: Child; readonly at: number } | undefined {
    for (let step = this.#path.at(-1); step !== undefined; step = this.#path.at(-1)) {
      const { at } = step;
      const child = step.children[step.next++];
      if (child === undefined || at >= this.#end) this.#path.pop();
      else {
        step.at += child.size;
        if (child.size > 0 && step.at > this.#from) return { child, at };
      }
    }
    return undefined;
  }

  get #level(): number {
    return this.#above + this.#path.length;
  }

  #enter(node: FileNode, at: number): void {
    if (this.#level > MAX_LEVELS) throw new CommandError('the file is nested too deeply');
    if (node.data.length > 0) this.#own = { at, node: Promise.resolve(node) };
    this.#path.push({ children: node.children, next: 0, at: at + node.data.length });
  }

  /** The node of a small file or part of one, including its children's content. */
  #flattened(loading: Promise<FileNode>): Promise<FileNode> {
    const level = this.#level;
    const flattened = loading.then((node) => flatten(node, this.#load, level));
    flattened.catch(() => undefined);
    return flattened;
  }
}

async function flatten(node: FileNode, load: LoadBlock, level: number): Promise<FileNode> {
  if (node.children.length === 0) return node;
  const walk = new LeafWalk(node, 0, node.size, load, level);
  const pieces: Uint8Array[] = [];
  for (let leaves = await walk.next(); leaves.length > 0; leaves = await walk.next()) {
    for (const leaf of leaves) pieces.push((await leaf.node).data);
  }
  return { data: Buffer.concat(pieces), size: node.size, children: [] };
}

async function loadChild(child: Child, load: LoadBlock): Promise<FileNode> {
  const node = decodeFileNode(child.cid, await load(child.cid));
  if (node.size !== child.size) {
    throw new CommandError(`block ${child.cid.toString()} has ${node.size} bytes but its parent states ${child.size}`);
  }
  return node;
}
