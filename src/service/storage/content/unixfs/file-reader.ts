import { type PBNode } from '@ipld/dag-pb';
import { type CID } from 'multiformats/cid';
import { decodeBlock } from '../codecs';
import { CommandError } from '../../errors';
import { type Step } from '../visited';
import { type Read, type Visit, walk, type Walker } from '../walk';
import { type Attributes } from './attributes';
import { DAG_PB, RAW } from './file-builder';
import { decodePb, mustBeUnixFs, UnixFsType } from './node';

type Child = { readonly cid: CID; readonly size: number };
/** A node of a file: its own bytes, its total size including children, its children, and, of a root, its attributes. */
export type FileNode = {
  readonly data: Uint8Array;
  readonly size: number;
  readonly children: readonly Child[];
  readonly attributes: Attributes;
};

/**
 * Decodes the node of a file.
 *
 * @throws CommandError if the block is a directory, not UnixFS, or inconsistent.
 */
export function decodeFileNode(cid: CID, bytes: Uint8Array): FileNode {
  if (cid.code === RAW) return { data: bytes, size: bytes.length, children: [], attributes: {} };
  if (cid.code !== DAG_PB) {
    // Report an undecodable block before reporting that it is not a file.
    decodeBlock(cid, bytes);
    throw new CommandError('unknown node type');
  }
  return fileNodeOf(cid, decodePb(bytes));
}

/**
 * The same for a node that was decoded before.
 *
 * @throws CommandError if it is a directory, not UnixFS, or inconsistent.
 */
export function fileNodeOf(cid: CID, node: PBNode): FileNode {
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
  const { data, mode, mtime } = unixFs;
  return { data, size, children, attributes: { mode, mtime } };
}

/** A node of a file to visit, with the size that its parent states. */
export type FileStep = Step & { readonly size?: number };

/**
 * Reads a node, and which of its children have content that is wanted.
 *
 * @throws CommandError if it is not the node of a file, or not of the size that its parent states: a node that may have
 * any size could be visited again for each of them, without an end.
 */
export function readContent(
  { cid, extent = { from: 0, end: Infinity }, size: stated }: FileStep,
  bytes: Uint8Array,
): Read<FileNode, FileStep> {
  const node = decodeFileNode(cid, bytes);
  if (stated !== undefined && stated !== node.size)
    throw new CommandError(`block ${cid.toString()} has ${node.size} bytes but its parent states ${stated}`);
  const below: FileStep[] = [];
  let at = node.data.length;
  for (const child of node.children) {
    const [from, end] = [Math.max(0, extent.from - at), Math.min(child.size, extent.end - at)];
    at += child.size;
    if (from < end) below.push({ cid: child.cid, size: child.size, extent: { from, end } });
  }
  return { node, below };
}

/** A range of a file, in bytes. */
export type Range = { readonly offset: number; readonly length: number };

/** The wanted bytes of a node; none if it has only children. */
function pieceOf({ node, step, bytes }: Visit<FileNode, FileStep>): Uint8Array {
  const { from = 0, end } = step.extent ?? {};
  const piece = node.data.subarray(from, end);
  // A small piece would keep the whole block in memory until it is sent.
  return 2 * piece.length < bytes.length ? Buffer.from(piece) : piece;
}

/** The next piece. In a function of its own: one that waits keeps its variables, and thus the block. */
async function nextPiece(visits: AsyncIterator<Visit<FileNode, FileStep>>): Promise<Uint8Array | undefined> {
  const next = await visits.next();
  return next.done === true ? undefined : pieceOf(next.value);
}

/**
 * The bytes of a file in order, one piece for each block that has some, reading only the blocks that the range needs.
 * Every node must have the size its parent states, so the output is as long as the root says or ends with an error.
 *
 * @param file - Its root; with `bytes`, the block is not read again.
 */
export async function* readFile(file: Step, { offset, length }: Range, walker: Walker): AsyncGenerator<Uint8Array> {
  const root = { ...file, extent: { from: offset, end: offset + length } };
  const visits = walk<FileNode, FileStep>(root, readContent, walker);
  try {
    for (let piece = await nextPiece(visits); piece !== undefined; piece = await nextPiece(visits))
      if (piece.length > 0) yield piece;
  } finally {
    await visits.return(undefined);
  }
}
