import { collect, concat, fromUtf8, sumOf, utf8 } from './bytes';
import { DAG_PB, parseCid } from './cid';
import { StorageError, wrongKind } from './errors';
import { type Content, lengthOf, multipart } from './multipart';
import { decodeNode, type NodeLink } from './node';
import { type CallOptions, type Query, type StorageClientOptions, Transport } from './transport';
import { buildFile, CHUNK_SIZE, expectCid, type ImportOptions, VerifiedBlocks } from './verified';

export { StorageError, type StorageErrorKind } from './errors';
export { type Content } from './multipart';
export { type StorageClientOptions } from './transport';

/** Bytes handled so far, and in all when that is known. */
export type OnProgress = (done: number, total: number | undefined) => void;

export type AddOptions = CallOptions &
  ImportOptions & {
    /** Default true. */
    readonly pin?: boolean;
    readonly onlyHash?: boolean;
    readonly onProgress?: OnProgress;
  };

/** A file or directory that was added; `size` is the bytes of its blocks. */
export type Added = { readonly path: string; readonly cid: string; readonly size: number };

export type CatOptions = CallOptions & {
  /** First byte. Default 0. */
  readonly offset?: number;
  /** Most bytes. Default: to the end. */
  readonly length?: number;
  /** `false` trusts the server: one request, only the length is checked. Default true. */
  readonly verify?: boolean;
  readonly onProgress?: OnProgress;
};

export type Entry = { readonly name: string; readonly cid: string; readonly size: number };
export type Pin = { readonly cid: string; readonly type: string; readonly name?: string };

type AddLine = { readonly Name: string; readonly Hash?: string; readonly Size?: string; readonly Bytes?: number };

const entryOf = ({ name, cid, size }: NodeLink): Entry => ({ name, cid: cid.text, size });
const unconfirmed = (what: string) => new StorageError('truncated', `not confirmed: ${what}`);

/**
 * A client of the file-storage API. Everything it returns as content was compared with its CID, unless a call says
 * otherwise; every failure is a {@link StorageError}.
 */
export class StorageClient {
  /** What extensions such as {@link DagClient} build on. */
  readonly transport: Transport;
  readonly blocks: VerifiedBlocks;

  // In plain JavaScript there may be none: what is missing is named then.
  constructor(options: StorageClientOptions = {} as StorageClientOptions) {
    this.transport = new Transport(options);
    this.blocks = new VerifiedBlocks(this.transport, Math.max(1, options.concurrency || 4));
  }

  /** Stores one file and returns its CID, which is computed here and compared with the server's. */
  async add(
    content: Content | string,
    { name, ...options }: AddOptions & { readonly name?: string } = {},
  ): Promise<Added> {
    const added = await this.addAll([{ path: name, content }], options);
    // A file without a line is an error there.
    return added[0] as Added;
  }

  /**
   * Stores files under their paths, as directories. With `wrap`, one directory is put over everything (its path is
   * `''`, and it comes last). Every file's CID is compared; every directory is fetched and compared entry by entry.
   */
  async addAll(
    files: readonly { readonly path?: string | undefined; readonly content: Content | string }[],
    options: AddOptions & { readonly wrap?: boolean } = {},
  ): Promise<Added[]> {
    const sent = files.map(({ path, content }) => ({
      // As UTF-8 has it: half a surrogate pair has no other form there.
      path: path && fromUtf8(utf8(path.replace(/^\/+/, ''))),
      content: typeof content === 'string' ? utf8(content) : content,
    }));
    // The server would store these under another path, or refuse the second of two after it has stored the first.
    const taken = new Set<string>();
    for (const { path } of sent) {
      if (path === undefined) continue;
      if (/\/\.{0,2}\//.test(`/${path}/`) || taken.has(path))
        throw new StorageError('refused', `path "${path}": taken, or a name is empty, . or ..`);
      if (options.wrap || path.includes('/')) taken.add(path);
    }
    const added = await this.#send(sent, options);
    const confirmed = new Set<Added>();
    for (const { path, content } of sent) {
      const { cid, size } = await buildFile(content, options);
      // Files without a name, and of one name, come in the order in which they were sent.
      const line = added.find((each) => !confirmed.has(each) && each.path === (path ?? each.cid));
      if (line === undefined) throw unconfirmed(path ?? 'file');
      expectCid(line.path, line.cid, cid);
      if (line.size !== size) throw unconfirmed(line.path);
      confirmed.add(line);
    }
    const directories = added.filter((each) => !confirmed.has(each));
    if (!options.onlyHash) await this.#checkDirectories(added, directories, options);
    return added;
  }

  /** The bytes of a file, in pieces, each checked before it is yielded. */
  async *cat(path: string, options: CatOptions = {}): AsyncGenerator<Uint8Array> {
    const { offset = 0, length = Infinity, onProgress } = options;
    let done = 0;
    if (offset % 1 || length % 1 || !(offset >= 0 && length >= 0)) throw new StorageError('refused', 'bad range');
    if (options.verify === false) return yield* this.#plainCat(path, options);
    const cid = await this.blocks.resolve(path, options);
    for await (const { bytes, size } of this.blocks.file(cid, offset, offset + length, options)) {
      done += bytes.length;
      if (options.signal?.aborted) throw new StorageError('aborted', 'aborted');
      yield bytes;
      onProgress?.(done, Math.min(length, size - offset));
    }
  }

  /** The bytes of a file, whole. */
  async read(path: string, options: CatOptions = {}): Promise<Uint8Array> {
    return concat(await collect(this.cat(path, options)));
  }

  /** The entries of a directory; `size` is the bytes of the entry's blocks. */
  async *ls(path: string, options: CallOptions = {}): AsyncGenerator<Entry> {
    const cid = await this.blocks.resolve(path, options);
    for await (const link of this.blocks.entries(cid, options)) yield entryOf(link);
  }

  async blockGet(cid: string, options: CallOptions = {}): Promise<Uint8Array> {
    return this.blocks.block(parseCid(cid), options);
  }

  /** A dag-pb node: its data and its links. */
  async objectGet(path: string, options: CallOptions = {}): Promise<{ data: Uint8Array; links: Entry[] }> {
    const cid = await this.blocks.resolve(path, options);
    if (cid.codec !== DAG_PB) throw wrongKind(cid.text, 'dag-pb node');
    const { data, links } = decodeNode(await this.blocks.block(cid, options));
    return { data, links: links.map(entryOf) };
  }

  async pinAdd(
    path: string,
    options: CallOptions & { readonly recursive?: boolean; readonly name?: string } = {},
  ): Promise<void> {
    await this.call('pin/add', [path], { recursive: options.recursive, name: options.name }, options);
  }

  async pinRm(path: string, options: CallOptions = {}): Promise<void> {
    await this.call('pin/rm', [path], {}, options);
  }

  async pinUpdate(from: string, to: string, options: CallOptions & { readonly unpin?: boolean } = {}): Promise<void> {
    await this.call('pin/update', [from, to], { unpin: options.unpin }, options);
  }

  /** This key's pins, one by one. `type`: `recursive` (default), `direct`, `indirect` or `all`. */
  async *pinLs({ type = 'recursive', ...options }: CallOptions & { readonly type?: string } = {}): AsyncGenerator<Pin> {
    const query = { type, stream: true, names: true };
    type Line = { Cid: string; Type: string; Name?: string };
    for await (const { Cid, Type, Name } of this.stream<Line>('pin/ls', [], query, options)) {
      yield { cid: Cid, type: Type, ...(Name === undefined ? {} : { name: Name }) };
    }
  }

  /** Any other command that answers with one JSON value, as the server sends it: nothing in it is checked. */
  async call<T>(
    command: string,
    args: readonly string[] = [],
    query: Query = {},
    options: CallOptions = {},
  ): Promise<T> {
    return this.transport.only<T>(await this.transport.post(command, args, query, options), options);
  }

  /** Any other command that answers with a stream of objects; nothing in them is checked. */
  async *stream<T>(
    command: string,
    args: readonly string[] = [],
    query: Query = {},
    options: CallOptions = {},
  ): AsyncGenerator<T> {
    const response = await this.transport.post(command, args, { ...query, 'stream-error': true }, options);
    yield* this.transport.objects<T>(response, options);
  }

  async #send(
    files: readonly { path: string | undefined; content: Content }[],
    options: AddOptions & { readonly wrap?: boolean },
  ): Promise<Added[]> {
    const { onProgress, chunkSize = CHUNK_SIZE } = options;
    const query = {
      'wrap-with-directory': options.wrap,
      'cid-version': options.cidVersion,
      'raw-leaves': options.rawLeaves,
      chunker: `size-${chunkSize}`,
      pin: options.pin,
      'only-hash': options.onlyHash,
      progress: Boolean(onProgress),
      'stream-error': true,
    };
    const response = await this.transport.post('add', [], query, options, multipart(files));
    const total = sumOf(files, ({ content }) => lengthOf(content));
    const added: Added[] = [];
    const progress = new Map<string, number>();
    for await (const { Name, Hash, Size, Bytes = 0 } of this.transport.objects<AddLine>(response, options)) {
      if (Hash) added.push({ path: Name, cid: Hash, size: Number(Size) });
      else {
        progress.set(Name, Bytes);
        onProgress?.(sumOf(progress.values(), Number), total);
      }
    }
    return added;
  }

  /** Fetches each new directory: it must have the entries that were sent, as the server named them, and no others. */
  async #checkDirectories(added: readonly Added[], directories: readonly Added[], options: CallOptions): Promise<void> {
    const left = new Map(added.map(({ path, cid }) => [path, cid]));
    for (const { path, cid } of directories) {
      for await (const { name, cid: entry } of this.blocks.entries(parseCid(cid), options)) {
        const full = (path && `${path}/`) + name;
        expectCid(full, left.get(full) ?? '', entry);
        left.delete(full);
      }
    }
    const lost = [...left.keys()].find((path) => path.includes('/') || directories.some((each) => !each.path));
    if (lost) throw unconfirmed(lost);
  }

  async *#plainCat(path: string, options: CatOptions): AsyncGenerator<Uint8Array> {
    const { offset, length, onProgress } = options;
    const response = await this.transport.post('cat', [path], { offset, length }, options);
    // Without a word of the server about the length nothing tells a whole file from a part: no number equals NaN.
    const total = Number(response.headers.get('X-Content-Length') || NaN);
    let done = 0;
    for await (const piece of this.transport.pieces(response, options)) {
      done += piece.length;
      yield piece;
      onProgress?.(done, total);
    }
    if (done !== total) throw unconfirmed(`${done} of ${total} bytes`);
  }
}
