import { type PBNode } from '@ipld/dag-pb';
import { type CID } from 'multiformats/cid';
import { DAG_PB } from './file-builder';
import { decodeFileNode, type FileNode, fileNodeOf } from './file-reader';
import { type Attributes } from './attributes';
import { decodePb, symlinkTarget, unixFsOf, UnixFsType } from './node';

/** What a path leads to; `size` is the content of a file, or the blocks of a directory, in bytes. */
export type Entry = { readonly size: number; readonly attributes: Attributes } & (
  | { readonly kind: 'directory'; readonly isSharded: boolean; readonly node: PBNode }
  | { readonly kind: 'symlink'; readonly target: string }
  | { readonly kind: 'file' }
);

/** A file without its links, which would be kept as long as the entry is. */
const fileEntry = ({ size, attributes }: FileNode): Entry => ({ kind: 'file', size, attributes });

/** @throws CommandError if the block is no file, directory or symbolic link. */
export function decodeEntry(cid: CID, bytes: Uint8Array): Entry {
  if (cid.code !== DAG_PB) return fileEntry(decodeFileNode(cid, bytes));
  const node = decodePb(bytes);
  const unixFs = unixFsOf(node);
  const isSharded = unixFs?.type === UnixFsType.Shard;
  if (isSharded || unixFs?.type === UnixFsType.Directory) {
    const size = node.Links.reduce((sum, { Tsize = 0 }) => sum + Tsize, bytes.length);
    return { kind: 'directory', isSharded, node, attributes: unixFs, size };
  }
  if (unixFs?.type === UnixFsType.Symlink)
    return { kind: 'symlink', target: symlinkTarget(unixFs.data), size: unixFs.data.length, attributes: unixFs };
  return fileEntry(fileNodeOf(cid, node));
}
