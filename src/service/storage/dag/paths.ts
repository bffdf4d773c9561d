import { type PBLink, type PBNode } from '@ipld/dag-pb';
import { CID } from 'multiformats/cid';
import { parseCid } from '../cids';
import { CommandError, messageOf } from '../errors';
import { findInShard } from '../unixfs/hamt';
import { DAG_PB, RAW } from '../unixfs/fileBuilder';
import { decodePb, unixFsOf, UnixFsType } from '../unixfs/node';
import { type LoadBlock } from './blockReader';
import { decodeBlock } from './codecs';

/** A content path: a root CID and the names below it. */
export type ContentPath = { readonly root: CID; readonly segments: readonly string[] };

const invalid = (text: string, reason: string) => new CommandError(`invalid path ${JSON.stringify(text)}: ${reason}`);

/** Names between the slashes, `.` and `..` resolved as in a path from the top. */
function cleanSegments(path: string): string[] {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return segments;
}

/**
 * Reads `/ipfs/<cid>/…`, `/ipld/<cid>/…` or `<cid>/…`.
 *
 * @throws CommandError with Kubo's text.
 */
export function parsePath(text: string): ContentPath {
  const [namespace, root, ...segments] = cleanSegments(text);
  if (!text.startsWith('/')) {
    const [first, ...rest] = cleanSegments(text);
    try {
      return { root: parseCid(first ?? ''), segments: rest };
    } catch {
      throw invalid(text, 'path does not have enough components');
    }
  }
  if (namespace === undefined || root === undefined) throw invalid(text, 'path does not have enough components');
  if (namespace === 'ipns') throw invalid(text, 'names are not resolved by this service, only /ipfs paths');
  if (namespace !== 'ipfs' && namespace !== 'ipld')
    throw invalid(text, `unknown namespace ${JSON.stringify(namespace)}`);
  try {
    return { root: parseCid(root), segments };
  } catch (error) {
    throw invalid(text, messageOf(error));
  }
}

/** Where a path leads: the last block on it, and the names inside that block that are left. */
export type Resolved = { readonly cid: CID; readonly remainder: readonly string[] };

const wrongKind = () =>
  new CommandError(
    'func called on wrong kind: "LookupBySegment" called on a data.Bytes node (kind: bytes), but only makes sense on map or list',
  );

async function findLink(node: PBNode, name: string, load: LoadBlock): Promise<PBLink | undefined> {
  const unixFs = unixFsOf(node);
  if (unixFs?.type === UnixFsType.Shard) return findInShard({ node, unixFs }, name, load);
  if (unixFs !== undefined && unixFs.type !== UnixFsType.Directory) throw wrongKind();
  return node.Links.find((link) => link.Name === name);
}

/** Follows `names` inside a decoded value until a link or the end; `undefined` when a name is not there. */
function descend(
  root: unknown,
  names: readonly string[],
): { cid: CID; rest: readonly string[] } | 'inside' | undefined {
  let value = root;
  for (const [index, name] of names.entries()) {
    if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return undefined;
    if (!Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
    const cid = CID.asCID(value);
    if (cid !== null) return { cid, rest: names.slice(index + 1) };
  }
  return 'inside';
}

/**
 * Follows a path through directories (sharded ones too) and through dag-cbor and dag-json values.
 *
 * @throws CommandError when a name is not there or a block is missing.
 */
export async function resolvePath(path: ContentPath, load: LoadBlock): Promise<Resolved> {
  let cid = path.root;
  let names = path.segments;
  while (names.length > 0) {
    const [name = ''] = names;
    const missing = () => new CommandError(`no link named ${JSON.stringify(name)} under ${cid.toString()}`);
    const bytes = await load(cid);
    if (cid.code === RAW) throw wrongKind();
    if (cid.code === DAG_PB) {
      const link = await findLink(decodePb(bytes), name, load);
      if (link === undefined) throw missing();
      cid = link.Hash;
      names = names.slice(1);
      continue;
    }
    const found = descend(decodeBlock(cid, bytes), names);
    if (found === undefined) throw missing();
    if (found === 'inside') break;
    cid = found.cid;
    names = found.rest;
  }
  return { cid, remainder: names };
}

/** Resolves a path that must lead to a block, not into one. */
export async function resolveToBlock(text: string, load: LoadBlock): Promise<CID> {
  const { cid, remainder } = await resolvePath(parsePath(text), load);
  if (remainder.length > 0) throw new CommandError(`path ${JSON.stringify(text)} leads into a block, not to one`);
  return cid;
}

/** The value at the end of a resolved path. */
export function valueAt(root: unknown, remainder: readonly string[]): unknown {
  return remainder.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], root);
}
