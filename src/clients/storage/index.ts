import { collect, concat, fromUtf8, sumOf, utf8 } from './bytes';
import { DAG_PB, parseCid } from './cid';
import { StorageError, wrongKind } from './errors';
import { type Content, lengthOf, multipart } from './multipart';
import { decodeNode, type NodeLink } from './node';
import { type CallOptions, type Query, type StorageClientOptions, Transport } from './transport';
import type { Added, AddOptions, CatOptions, Entry, Pin } from './types';
import { buildFile, CHUNK_SIZE, expectCid, VerifiedBlocks } from './verified';

export { StorageError, type StorageErrorKind } from './errors';
export { type Content } from './multipart';
export { type StorageClientOptions } from './transport';
export type { Added, AddOptions, CatOptions, Entry, OnProgress, Pin } from './types';

type AddLine = { readonly Name: string; readonly Hash?: string; readonly Size?: string; readonly Bytes?: number };

const entryOf = ({ name, cid, size }: NodeLink): Entry => ({ name, cid: cid.text, size });
const incomplete = (what: string) => new StorageError('truncated', `incomplete: ${what}`);

/**
 * A client of the file-storage API (the Kubo RPC API). It verifies all content against its CID, unless a method says
 * otherwise. Every failure is a {@link StorageError}.
 *
 * @example
 * ```ts
 * import { StorageClient } from 'keystead/clients';
 * const storage = new StorageClient({ url: 'https://storage.example', key: '<API_KEY>', secret: '<SECRET>' });
 * const { cid } = await storage.add('hello', { name: 'hello.txt' });
 * const pieces = [];
 * for await (const piece of storage.cat(cid)) pieces.push(...piece);
 * new TextDecoder().decode(Uint8Array.from(pieces)); // => 'hello'
 * ```
 */
export class StorageClient {
  /** Sends commands. For extensions such as {@link DagClient}. @internal */
  readonly transport: Transport;
  /** Fetches verified blocks. For extensions such as {@link DagClient}. @internal */
  readonly blocks: VerifiedBlocks;

  // Plain JavaScript may omit the options; the error then names the missing url.
  constructor(options: StorageClientOptions = {} as StorageClientOptions) {
    this.transport = new Transport(options);
    this.blocks = new VerifiedBlocks(this.transport, Math.max(1, options.concurrency || 4));
  }

  /**
   * Stores one file.
   *
   * @param content - The content; a string is stored as UTF-8.
   * @param options - Options, including the file's `name`.
   * @returns The file, with its CID computed locally and compared with the server's.
   * @throws {StorageError} `integrity` if the server returns another CID.
   */
  async add(
    content: Content | string,
    { name, ...options }: AddOptions & { readonly name?: string } = {},
  ): Promise<Added> {
    const added = await this.addAll([{ path: name, content }], options);
    // addAll throws if the file is missing from the response.
    return added[0] as Added;
  }

  /**
   * Stores files under their paths and creates the directories. With `wrap`, one directory contains everything; it has
   * the path `''` and comes last in the result. Verifies the CID of every file, and fetches every directory to verify
   * its entries.
   *
   * @returns The added files and directories.
   * @throws {StorageError} `refused` for a repeated path or one with an empty, `.` or `..` segment; `integrity` if the
   * server returns another CID; `truncated` if it does not confirm every file.
   */
  async addAll(
    files: readonly { readonly path?: string | undefined; readonly content: Content | string }[],
    options: AddOptions & { readonly wrap?: boolean } = {},
  ): Promise<Added[]> {
    const sent = files.map(({ path, content }) => ({
      // Normalize to what UTF-8 can represent: an unpaired surrogate becomes the replacement character.
      path: path && fromUtf8(utf8(path.replace(/^\/+/, ''))),
      content: typeof content === 'string' ? utf8(content) : content,
    }));
    // The server would store such a path under another one, or reject the second duplicate after storing the first.
    const taken = new Set<string>();
    for (const { path } of sent) {
      if (path === undefined) continue;
      if (/\/\.{0,2}\//.test(`/${path}/`) || taken.has(path))
        throw new StorageError('refused', `path "${path}": duplicate, or a name is empty, . or ..`);
      if (options.wrap || path.includes('/')) taken.add(path);
    }
    const added = await this.#send(sent, options);
    const confirmed = new Set<Added>();
    for (const { path, content } of sent) {
      const { cid, size } = await buildFile(content, options);
      // Files without a name, or with equal names, are returned in the order in which they were sent.
      const line = added.find((each) => !confirmed.has(each) && each.path === (path ?? each.cid));
      if (line === undefined) throw incomplete(path ?? 'file');
      expectCid(line.path, line.cid, cid);
      if (line.size !== size) throw incomplete(line.path);
      confirmed.add(line);
    }
    const directories = added.filter((each) => !confirmed.has(each));
    if (!options.onlyHash) await this.#checkDirectories(added, directories, options);
    return added;
  }

  /**
   * Reads a file in pieces and verifies each one before yielding it.
   *
   * @param path - A CID, or a path such as `<cid>/directory/file`.
   * @throws {StorageError} `integrity` if a block does not match its CID, `refused` for an invalid range or a path that
   * is not a file.
   */
  async *cat(path: string, options: CatOptions = {}): AsyncGenerator<Uint8Array> {
    const { offset = 0, length = Infinity, onProgress } = options;
    let done = 0;
    if (offset % 1 || length % 1 || !(offset >= 0 && length >= 0))
      throw new StorageError('refused', 'invalid offset or length');
    if (options.verify === false) return yield* this.#plainCat(path, options);
    const cid = await this.blocks.resolve(path, options);
    for await (const { bytes, size } of this.blocks.file(cid, offset, offset + length, options)) {
      done += bytes.length;
      if (options.signal?.aborted) throw new StorageError('aborted', 'aborted');
      yield bytes;
      onProgress?.(done, Math.min(length, size - offset));
    }
  }

  /** Reads a whole file. Takes the same arguments as {@link cat}. */
  async read(path: string, options: CatOptions = {}): Promise<Uint8Array> {
    return concat(await collect(this.cat(path, options)));
  }

  /**
   * Lists the entries of a directory, including sharded directories.
   *
   * @param path - A CID, or a path such as `<cid>/directory`.
   */
  async *ls(path: string, options: CallOptions = {}): AsyncGenerator<Entry> {
    const cid = await this.blocks.resolve(path, options);
    for await (const link of this.blocks.entries(cid, options)) yield entryOf(link);
  }

  /**
   * Fetches one block and verifies it.
   *
   * @returns The bytes of the block.
   * @throws {StorageError} `integrity` if the bytes do not match the CID.
   */
  async blockGet(cid: string, options: CallOptions = {}): Promise<Uint8Array> {
    return this.blocks.block(parseCid(cid), options);
  }

  /**
   * Fetches a dag-pb node.
   *
   * @returns Its data and its links.
   * @throws {StorageError} `refused` if the path leads to a node of another codec.
   */
  async objectGet(path: string, options: CallOptions = {}): Promise<{ data: Uint8Array; links: Entry[] }> {
    const cid = await this.blocks.resolve(path, options);
    if (cid.codec !== DAG_PB) throw wrongKind(cid.text, 'dag-pb node');
    const { data, links } = decodeNode(await this.blocks.block(cid, options));
    return { data, links: links.map(entryOf) };
  }

  /** Pins the content of a path. Options: `recursive` (the server's default is true), and a `name` for the pin. */
  async pinAdd(
    path: string,
    options: CallOptions & { readonly recursive?: boolean; readonly name?: string } = {},
  ): Promise<void> {
    await this.call('pin/add', [path], { recursive: options.recursive, name: options.name }, options);
  }

  /** Removes a pin. */
  async pinRm(path: string, options: CallOptions = {}): Promise<void> {
    await this.call('pin/rm', [path], {}, options);
  }

  /** Replaces the pin of one path with a pin of another. With `unpin: false`, the old pin stays. */
  async pinUpdate(from: string, to: string, options: CallOptions & { readonly unpin?: boolean } = {}): Promise<void> {
    await this.call('pin/update', [from, to], { unpin: options.unpin }, options);
  }

  /** Lists the pins of this API key, one by one. `type` is `recursive` (default), `direct`, `indirect` or `all`. */
  async *pinLs({ type = 'recursive', ...options }: CallOptions & { readonly type?: string } = {}): AsyncGenerator<Pin> {
    const query = { type, stream: true, names: true };
    type Line = { Cid: string; Type: string; Name?: string };
    for await (const { Cid, Type, Name } of this.stream<Line>('pin/ls', [], query, options)) {
      yield { cid: Cid, type: Type, ...(Name === undefined ? {} : { name: Name }) };
    }
  }

  /**
   * Calls any other command that returns one JSON value. The value is returned as sent by the server, without
   * verification.
   *
   * @param command - The command, such as `pin/ls`.
   * @param args - Its positional arguments.
   * @param query - Its options.
   */
  async call<T>(
    command: string,
    args: readonly string[] = [],
    query: Query = {},
    options: CallOptions = {},
  ): Promise<T> {
    return this.transport.only<T>(await this.transport.post(command, args, query, options), options);
  }

  /**
   * Calls any other command that returns a stream of objects. They are yielded as sent by the server, without
   * verification.
   */
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

  /** Fetches each new directory and checks that it has exactly the entries that were sent. */
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
    if (lost) throw incomplete(lost);
  }

  async *#plainCat(path: string, options: CatOptions): AsyncGenerator<Uint8Array> {
    const { offset, length, onProgress } = options;
    const response = await this.transport.post('cat', [path], { offset, length }, options);
    // Without X-Content-Length, a whole file cannot be told from a part. NaN makes the check below fail.
    const total = Number(response.headers.get('X-Content-Length') || NaN);
    let done = 0;
    for await (const piece of this.transport.pieces(response, options)) {
      done += piece.length;
      yield piece;
      onProgress?.(done, total);
    }
    if (done !== total) throw incomplete(`${done} of ${total} bytes`);
  }
}
