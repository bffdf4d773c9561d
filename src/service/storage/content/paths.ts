import { type PBLink } from '@ipld/dag-pb';
import { CID } from 'multiformats/cid';
import { parseCid } from './cids';
import { CommandError, messageOf } from '../errors';
import { findInShard } from './unixfs/hamt';
import { DAG_PB } from './unixfs/file-builder';
import { decodePb, unixFsOf, UnixFsType } from './unixfs/node';
import { type LoadBlock } from './block-reader';
import { decodeBlock } from './codecs';
import { entryOf, isScalar } from './data-model';

/** A content path: a root CID and the names below it. */
type ContentPath = {
  readonly root: CID;
  readonly segments: readonly string[];
  /** Whether names refer to fields inside nodes (`/ipld/…`), such as `Links` and `Data` of a dag-pb node. */
  readonly inNodes: boolean;
};

const invalid = (text: string, reason: string) => new CommandError(`invalid path ${JSON.stringify(text)}: ${reason}`);

/** The names between slashes, with `.` and `..` resolved and confined to the root. */
function cleanSegments(path: string): string[] {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return segments;
}

/** Parses `<cid>/…`; undefined if it does not begin with a CID. */
function withoutNamespace(text: string): ContentPath | undefined {
  const [first = '', ...segments] = cleanSegments(text);
  try {
    return { root: parseCid(first), segments, inNodes: false };
  } catch {
    return undefined;
  }
}

/**
 * A path in place of a native address, as Kubo 0.43 takes them: `ipfs://<cid>/…` and `ipfs:<cid>/…`, likewise `ipns` and
 * `ipld`. Only the scheme is without regard to case. Any other text stays as it is.
 */
export const canonicalPath = (text: string): string =>
  text.replace(/^(ip[fn]s|ipld):(?:\/\/)?/iu, (_match, scheme: string) => `/${scheme.toLowerCase()}/`);

/**
 * Parses `/ipfs/<cid>/…`, `/ipld/<cid>/…` or `<cid>/…`, or an address as in {@link canonicalPath}.
 *
 * @throws CommandError with Kubo's text.
 */
export function parsePath(given: string): ContentPath {
  const text = canonicalPath(given);
  const [namespace, root, ...segments] = cleanSegments(text);
  const direct = namespace === 'ipfs' || namespace === 'ipld' ? undefined : withoutNamespace(text);
  if (direct !== undefined) return direct;
  if (!text.startsWith('/') || namespace === undefined || root === undefined) {
    throw invalid(text, 'path does not have enough components');
  }
  if (namespace === 'ipns') throw invalid(text, 'names are not resolved by this service, only /ipfs paths');
  if (namespace !== 'ipfs' && namespace !== 'ipld')
    throw invalid(text, `unknown namespace: ${JSON.stringify(namespace)}`);
  try {
    return { root: parseCid(root), segments, inNodes: namespace === 'ipld' };
  } catch (error) {
    throw invalid(text, messageOf(error));
  }
}

/** The target of a path: the last block on it, and the remaining names inside that block. */
export type Resolved = { readonly cid: CID; readonly remainder: readonly string[] };

const noLink = (name: string, cid: CID) =>
  new CommandError(`no link named ${JSON.stringify(name)} under ${cid.toString()}`);

async function findLink(bytes: Uint8Array, name: string, load: LoadBlock): Promise<PBLink | undefined> {
  const node = decodePb(bytes);
  const type = unixFsOf(node)?.type;
  if (type === UnixFsType.Shard) return findInShard(bytes, name, load);
  if (type !== undefined && type !== UnixFsType.Directory) {
    throw new CommandError(
      'func called on wrong kind: "LookupBySegment" called on a data.Bytes node (kind: bytes), but only makes sense on map or list',
    );
  }
  return node.Links.find((link) => link.Name === name);
}

/**
 * Follows `names` inside the value of a block until a link or the end.
 *
 * @throws CommandError if a name does not exist.
 */
function descend(cid: CID, root: unknown, names: readonly string[]): { cid: CID; rest: readonly string[] } | 'inside' {
  let value = root;
  for (const [index, name] of names.entries()) {
    value = isScalar(value) ? undefined : entryOf(value, name);
    if (value === undefined) throw noLink(name, cid);
    const link = CID.asCID(value);
    if (link !== null) return { cid: link, rest: names.slice(index + 1) };
  }
  return 'inside';
}

/**
 * Follows a path through directories (including sharded ones) and through dag-cbor and dag-json values.
 *
 * @throws CommandError if a name does not exist or a block is missing.
 */
export async function resolvePath(path: ContentPath, load: LoadBlock): Promise<Resolved> {
  let cid = path.root;
  let names = path.segments;
  while (names.length > 0) {
    const [name = ''] = names;
    const bytes = await load(cid);
    if (cid.code === DAG_PB && !path.inNodes) {
      const link = await findLink(bytes, name, load);
      if (link === undefined) throw noLink(name, cid);
      cid = link.Hash;
      names = names.slice(1);
      continue;
    }
    const found = descend(cid, decodeBlock(cid, bytes), names);
    if (found === 'inside') break;
    cid = found.cid;
    names = found.rest;
  }
  return { cid, remainder: names };
}

/** The last block on a path. As in Kubo, the path may continue inside that block. */
export async function resolveToBlock(text: string, load: LoadBlock): Promise<CID> {
  return (await resolvePath(parsePath(text), load)).cid;
}

/** The value at the end of a resolved path. */
export function valueAt(root: unknown, remainder: readonly string[]): unknown {
  return remainder.reduce(entryOf, root);
}
