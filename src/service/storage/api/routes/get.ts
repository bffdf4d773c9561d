import { once } from 'node:events';
import { posix } from 'node:path';
import { createGzip, type Gzip } from 'node:zlib';
import { type PBLink } from '@ipld/dag-pb';
import { type CID } from 'multiformats/cid';
import { type Cancellation } from '../../content/cancellation';
import { type LoadBlock } from '../../content/block-reader';
import { resolveToBlock } from '../../content/paths';
import { clientFault, CommandError } from '../../errors';
import { bool, int, text } from '../options';
import { type Reply } from '../reply';
import { ANY_ENCODING, arg, defineRoute } from '../route';
import { DAG_PB } from '../../content/unixfs/file-builder';
import { decodeFileNode, readFile } from '../../content/unixfs/file-reader';
import { shardEntries } from '../../content/unixfs/hamt';
import { decodePb, unixFsOf, UnixFsType } from '../../content/unixfs/node';
import { TAR_END, tarHeader, tarPadding } from '../../content/unixfs/tar';

const WHOLE = { offset: 0, length: Number.MAX_SAFE_INTEGER };

/** Opens a path's target; `size` is the content of a file, or the blocks of a directory. */
async function open(cid: CID, load: LoadBlock) {
  const bytes = await load(cid);
  if (cid.code === DAG_PB) {
    const node = decodePb(bytes);
    const unixFs = unixFsOf(node);
    if (unixFs?.type === UnixFsType.Directory || unixFs?.type === UnixFsType.Shard) {
      const size = node.Links.reduce((sum, { Tsize = 0 }) => sum + Tsize, bytes.length);
      return { kind: 'directory', node, unixFs, size } as const;
    }
    if (unixFs?.type === UnixFsType.Symlink) {
      return { kind: 'symlink', target: Buffer.from(unixFs.data).toString('utf8'), size: unixFs.data.length } as const;
    }
  }
  const file = decodeFileNode(cid, bytes);
  return { kind: 'file', file, size: file.size } as const;
}

type Opened = Awaited<ReturnType<typeof open>>;

/** @throws CommandError for an entry name that would escape the directory where the archive is unpacked. */
function checkName(name: string): void {
  // Windows also separates names with a backslash.
  if (/^\.?$|[/\0]|(?:^|\\)\.\.(?:\\|$)|^(?:[a-z]:)?\\/i.test(name)) {
    throw new CommandError(`path was invalid: an entry is named ${JSON.stringify(name)}`);
  }
}

/**
 * The same for two paths that some file system takes for one: without regard to case, Unicode's form, and the slash.
 */
const foldedPath = (path: string): string => path.normalize('NFKC').toUpperCase().replaceAll('\\', '/');

/** Content in groups of pieces; the pieces of a group become available at the same time. */
type Pieces = AsyncGenerator<readonly Uint8Array[]>;

/** Shared by all entries of an archive. */
type Archive = {
  readonly load: LoadBlock;
  readonly cancellation: Cancellation;
  readonly maxDepth: number;
  /** The time of every entry, in seconds since 1970: UnixFS stores none. */
  readonly time: number;
  /**
   * The whole paths, folded, of the symbolic links so far. Unpacking another entry of such a path, or below it, could
   * follow the link out of the directory where the archive is unpacked.
   */
  readonly symlinks: Set<string>;
  /** Maximum number of these. */
  readonly maxSymlinks: number;
};

type Entry = { readonly opened: Opened; readonly name: string };

/** A directory whose entries are being written. */
type Directory = {
  readonly name: string;
  readonly links: AsyncIterator<PBLink> | Iterator<PBLink>;
};

/** The next entry of the innermost directory that still has one; finished directories are removed. */
async function nextEntry(
  directories: Directory[],
  { load, symlinks, maxSymlinks }: Archive,
): Promise<Entry | undefined> {
  for (let inner = directories.at(-1); inner !== undefined; inner = directories.at(-1)) {
    const { done, value } = await inner.links.next();
    if (done !== true) {
      const { Name = '', Hash } = value;
      checkName(Name);
      // Directories may have the same name, too, so the whole path counts, not the directory that is written. A
      // backslash may name several levels at once.
      const name = `${inner.name}/${Name}`;
      const path = foldedPath(name);
      if (symlinks.has(path) || (symlinks.size > 0 && Name.includes('\\'))) {
        throw new CommandError(`path was invalid: a symbolic link and another entry are named ${JSON.stringify(Name)}`);
      }
      const opened = await open(Hash, load);
      if (opened.kind === 'symlink' && symlinks.add(path).size > maxSymlinks) {
        throw clientFault(`the directory has more than the allowed ${maxSymlinks} symbolic links`);
      }
      return { opened, name };
    }
    directories.pop();
  }
  return undefined;
}

async function* tarOf(root: Entry, archive: Archive): Pieces {
  const { load, cancellation, maxDepth, time } = archive;
  const directories: Directory[] = [];
  for (let entry: Entry | undefined = root; entry !== undefined; entry = await nextEntry(directories, archive)) {
    cancellation.throwIfCancelled();
    const { opened, name } = entry;
    if (opened.kind === 'symlink') {
      yield [tarHeader({ name, type: 'symlink', size: 0, target: opened.target, time })];
    } else if (opened.kind === 'file') {
      yield [tarHeader({ name, type: 'file', size: opened.size, time })];
      yield* readFile(opened.file, WHOLE, load);
      yield [tarPadding(opened.size)];
    } else {
      if (directories.length > maxDepth) {
        throw clientFault(`the directory is deeper than the allowed ${maxDepth} levels`);
      }
      yield [tarHeader({ name, type: 'directory', size: 0, time })];
      const { node, unixFs } = opened;
      const links =
        unixFs.type === UnixFsType.Shard ? shardEntries({ node, unixFs }, load) : node.Links[Symbol.iterator]();
      directories.push({ name, links });
    }
  }
  yield [TAR_END];
}

async function* gzipped(content: Pieces, level: number | undefined): Pieces {
  const gzip = createGzip(level === undefined ? {} : { level });
  const feeding = feed(content, gzip);
  feeding.catch((error: unknown) => gzip.destroy(error instanceof Error ? error : new Error(String(error))));
  for await (const piece of gzip as AsyncIterable<Uint8Array>) yield [piece];
  await feeding;
}

async function feed(content: Pieces, gzip: Gzip): Promise<void> {
  for await (const pieces of content) {
    let keepsUp = true;
    for (const piece of pieces) keepsUp = gzip.write(piece);
    if (!keepsUp) await once(gzip, 'drain');
  }
  gzip.end();
}

async function send(content: Pieces, size: number, reply: Reply): Promise<void> {
  for await (const pieces of content) {
    if (!reply.started) reply.beginBytes(size);
    await reply.write(...pieces);
  }
  if (!reply.started) reply.beginBytes(size);
  reply.end();
}

export const get = defineRoute({
  path: 'get',
  encodings: ANY_ENCODING,
  args: [arg('ipfs-path')],
  options: {
    output: text('o'),
    archive: bool('a'),
    compress: bool('C'),
    'compression-level': int('l'),
    progress: bool('p'),
  },
  run: async ({ limits }, { args: [path = ''], options, load, cancellation, reply }) => {
    const compress = options.compress === true;
    // Without compression the level has no meaning.
    const level = compress ? options['compression-level'] : undefined;
    if (level !== undefined && (level < 1 || level > 9)) {
      throw new CommandError('compression level must be between 1 and 9');
    }
    const root = await open(await resolveToBlock(path, load), load);
    // Named after the resolved path, so that the name is never `..`.
    const name = posix.basename(posix.normalize(path));
    if (compress && options.archive !== true && root.kind !== 'file') throw new CommandError('file is not regular');
    const plain = compress && options.archive !== true && root.kind === 'file';
    const archive = {
      load,
      cancellation,
      maxDepth: limits.dagDepth,
      time: Math.floor(Date.now() / 1000),
      symlinks: new Set<string>(),
      maxSymlinks: limits.entries,
    };
    const content = plain ? readFile(root.file, WHOLE, load) : tarOf({ opened: root, name }, archive);
    await send(compress ? gzipped(content, level) : content, root.size, reply);
  },
});
