import { pipeline } from 'node:stream/promises';
import { type PBLink } from '@ipld/dag-pb';
import { pack, type Pack } from 'tar-stream';
import { clientFault, CommandError } from '../../errors';
import { type Step, Visited } from '../visited';
import { type Read, walk, type Walker } from '../walk';
import { decimalTime } from './attributes';
import { decodeEntry, type Entry } from './entry';
import { readFile } from './file-reader';
import { shardReader } from './hamt';

const WHOLE = { offset: 0, length: Number.MAX_SAFE_INTEGER };

/** An entry to visit, with its whole path. */
type ArchiveStep = Step & {
  readonly name: string;
  /** Its name in its directory; absent for the root, and for further shards of a directory. */
  readonly own?: string;
  /** What it is, if its block was decoded before. */
  readonly entry?: Entry;
  /** For a further shard of a directory: the shards so far. */
  readonly shards?: Visited;
};

/** @throws CommandError for an entry name that would escape the directory where the archive is unpacked. */
function checkName(name: string): void {
  // Windows also separates names with a backslash.
  if (/^\.?$|[/\0]|(?:^|\\)\.\.(?:\\|$)|^(?:[a-z]:)?\\/i.test(name)) {
    throw new CommandError(`path was invalid: an entry is named ${JSON.stringify(name)}`);
  }
}

/**
 * The same for two paths that some file system takes for one: without regard to case, Unicode's form and letters that
 * are not shown, the slash, dots and spaces at the end of a name, and the stream of a file that follows a colon.
 */
const foldedPath = (path: string): string =>
  path
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toUpperCase()
    .replaceAll('\\', '/')
    .split('/')
    .map((name) => name.replace(/:[^]*$/u, '').replace(/[. ]+$/u, ''))
    .join('/');

/** Reads the entries of one archive. */
class ArchiveReader {
  /**
   * The whole paths, folded, of the symbolic links so far. Unpacking another entry of such a path, or below it, could
   * follow the link out of the directory where the archive is unpacked.
   */
  readonly #symlinks = new Set<string>();
  readonly #maxSymlinks: number;
  readonly #walker: Walker;

  constructor(walker: Walker, maxSymlinks: number) {
    this.#walker = walker;
    this.#maxSymlinks = maxSymlinks;
  }

  readonly read = (step: ArchiveStep, bytes: Uint8Array): Read<Entry | undefined, ArchiveStep> => {
    const { cid, name, own, shards } = step;
    if (shards !== undefined) return { node: undefined, below: this.#shardBelow(step, shards, bytes) };
    if (own !== undefined) this.#check(name, own);
    const entry = step.entry ?? decodeEntry(cid, bytes);
    if (entry.kind === 'symlink' && own !== undefined) this.#noteSymlink(name);
    if (entry.kind !== 'directory') return { node: entry, below: [] };
    const below = entry.isSharded
      ? this.#shardBelow(step, new Visited(this.#walker.charge.memory), bytes)
      : entry.node.Links.map((link) => inDirectory(name, link));
    return { node: entry, below };
  };

  #shardBelow(step: ArchiveStep, shards: Visited, bytes: Uint8Array): ArchiveStep[] {
    const { node, below } = shardReader(shards)(step, bytes);
    const { name } = step;
    return [
      ...node.entries.map((link) => inDirectory(name, link)),
      ...below.map((shard) => ({ ...shard, name, shards })),
    ];
  }

  /**
   * Directories may have the same name, too, so the whole path counts, not the directory that is written. A backslash
   * may name several levels at once.
   */
  #check(name: string, own: string): void {
    checkName(own);
    if (this.#symlinks.has(foldedPath(name)) || (this.#symlinks.size > 0 && own.includes('\\')))
      throw new CommandError(`path was invalid: a symbolic link and another entry are named ${JSON.stringify(own)}`);
  }

  #noteSymlink(name: string): void {
    const path = foldedPath(name);
    this.#walker.charge.memory.charge(2 * path.length);
    if (this.#symlinks.add(path).size > this.#maxSymlinks)
      throw clientFault(`the directory has more than the allowed ${this.#maxSymlinks} symbolic links`);
  }
}

const inDirectory = (directory: string, { Name = '', Hash }: PBLink): ArchiveStep => ({
  cid: Hash,
  name: `${directory}/${Name}`,
  own: Name,
});

/** What tar's own field for the time can hold: seconds in 31 bits. */
const MOST_SECONDS = 2 ** 31 - 1;

/** Permissions that Kubo writes for entries without any. */
const MODES = { file: 0o644, directory: 0o777, symlink: 0o777 } as const;

/** Longer names go into a PAX record: the library would split them, which takes the square of their length. */
const MOST_NAME = 100;

function headerOf(
  name: string,
  { kind, size, attributes: { mode, mtime }, ...entry }: Entry,
  now: Date,
): Parameters<Pack['entry']>[0] {
  const seconds = Math.min(MOST_SECONDS, Math.max(0, mtime?.seconds ?? 0));
  const isExact = mtime === undefined || (mtime.nanoseconds === 0 && mtime.seconds === seconds);
  const isShort = Buffer.byteLength(name) <= MOST_NAME;
  const pax = { ...(!isExact && { mtime: decimalTime(mtime) }), ...(!isShort && { path: name }) };
  return {
    name: isShort ? name : 'PaxHeader',
    type: kind,
    size: kind === 'file' ? size : 0,
    mode: mode ?? MODES[kind],
    mtime: mtime === undefined ? now : new Date(seconds * 1000),
    ...('target' in entry && { linkname: entry.target }),
    ...(Object.keys(pax).length > 0 && { pax }),
  };
}

/** Holds back what comes after a piece until the piece has been sent, so that only one is in memory. */
class Gate {
  #piece: Uint8Array | undefined;
  #open: () => void = () => undefined;

  async *hold(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      const sent = new Promise<void>((resolve) => (this.#open = resolve));
      this.#piece = piece;
      yield piece;
      await sent;
    }
  }

  sent(piece: unknown): void {
    if (piece === this.#piece) this.open();
  }

  /** Nothing is held back any more. */
  open(): void {
    this.#piece = undefined;
    this.#open();
  }
}

/** Writes the entries of an archive as fast as it is read. */
async function fill(archive: Pack, root: ArchiveStep, walker: Walker, maxSymlinks: number, gate: Gate): Promise<void> {
  // UnixFS need not store a time.
  const now = new Date();
  const { read } = new ArchiveReader(walker, maxSymlinks);
  for await (const { step, bytes, node } of walk<Entry | undefined, ArchiveStep>(root, read, walker)) {
    if (node === undefined) continue;
    const entry = archive.entry(headerOf(step.name, node, now));
    const content = node.kind === 'file' ? gate.hold(readFile({ cid: step.cid, bytes }, WHOLE, walker)) : [];
    await pipeline(content, entry);
  }
  archive.finalize();
}

/**
 * A file, a directory with everything below it, or a symbolic link as a tar archive.
 *
 * @param root - What it is, and how it is named in the archive.
 * @param maxSymlinks - How many symbolic links there may be.
 * @throws CommandError for an entry that would be unpacked outside of the archive's own directory.
 */
export async function* tarOf(
  root: Step & { readonly name: string; readonly entry?: Entry },
  walker: Walker,
  maxSymlinks: number,
): AsyncGenerator<Uint8Array> {
  const archive = pack();
  const gate = new Gate();
  const filling = fill(archive, root, walker, maxSymlinks, gate);
  filling.catch((error: unknown) => {
    archive.destroy(error instanceof Error ? error : new Error(String(error)));
  });
  try {
    for await (const piece of archive as AsyncIterable<Uint8Array>) {
      yield piece;
      gate.sent(piece);
    }
  } finally {
    archive.destroy();
    gate.open();
    // Nothing is read any more once the request has ended.
    await filling;
  }
}
