import { clientFault } from '../../errors';
import { type OptionValues } from '../options';
import { type Part } from '../multipart';
import { type Limits } from '../../content/limits';
import { CID_BYTES } from '../../content/weights';
import { type Call, defineRoute, readWhole, type ReceivedPart } from '../route';
import { type StorageService } from '../service';
import { DirectoryBuilder } from '../../content/unixfs/directory-builder';
import { BlockMaker, type BlockSink, buildFile, type Built } from '../../content/unixfs/file-builder';
import { MAX_SYMLINK } from '../../content/unixfs/node';
import { pinDag } from '../../content/pin-dag';
import { type Attributes, attributeFields } from '../../content/unixfs/attributes';
import { ADD_OPTIONS, attributesOf, attributesOfPart, chunkSizeOf, importSettingsOf } from './add-settings';

type AddCall = Call<OptionValues<typeof ADD_OPTIONS>>;

const PROGRESS_BYTES = 256 << 10;

/** Splits an upload's path into names, with `..` resolved and confined to the root. */
function pathOf(filename: string | undefined, limits: Limits): string[] {
  const names: string[] = [];
  if ((filename ?? '').length > limits.pathLength) {
    throw clientFault(`a file name is longer than the limit of ${limits.pathLength} characters`);
  }
  for (const name of (filename ?? '').split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  if (names.some((name) => name.includes('\0'))) throw clientFault('a file name contains a NUL character');
  if (names.length > limits.pathDepth) {
    throw clientFault(`a file is nested deeper than the limit of ${limits.pathDepth} directories`);
  }
  return names;
}

/** One `add`: parts under the same top-level name become one tree, which is pinned and then reported. */
class Adder {
  readonly #service: StorageService;
  readonly #call: AddCall;
  readonly #maker: BlockMaker;
  readonly #chunkSize: number;
  readonly #stores: boolean;
  readonly #wraps: boolean;
  /** For every entry, whatever its own are. */
  readonly #attributes: Attributes;
  #tree: { readonly name: string; readonly builder: DirectoryBuilder } | undefined;
  /** Directories created by paths, in all trees: a short part can create as many as its path has names. */
  #directories = 0;
  #pathsLength = 0;
  #blocks = 0;
  /** Lines to send once their blocks are durable. */
  #lines: object[] = [];
  #sending: Promise<void> | undefined;

  constructor(service: StorageService, call: AddCall) {
    const { options, session, cancellation } = call;
    this.#service = service;
    this.#call = call;
    this.#stores = options['only-hash'] !== true;
    this.#attributes = attributesOf(options);
    this.#wraps = options['wrap-with-directory'] === true;
    this.#chunkSize = chunkSizeOf(options);
    const sink: BlockSink = async (cid, bytes) => {
      cancellation.throwIfCancelled();
      if (!this.#stores) return;
      const { addBlocks } = service.limits;
      if (++this.#blocks > addBlocks) throw clientFault(`the upload creates more than the allowed ${addBlocks} blocks`);
      await session.put(cid.multihash.bytes, bytes);
    };
    this.#maker = new BlockMaker(importSettingsOf(options), sink, call.walker.charge);
    if (this.#wraps) this.#tree = this.#newTree('');
  }

  async take(part: ReceivedPart): Promise<void> {
    const path = pathOf(part.filename, this.#service.limits);
    const { pathsLength } = this.#service.limits;
    this.#pathsLength += part.filename?.length ?? 0;
    if (this.#pathsLength > pathsLength) {
      throw clientFault(`the paths of the upload have more than the allowed ${pathsLength} characters in total`);
    }
    const attributes = this.#attributesOf(part);
    const [type = ''] = part.contentType.split(';');
    if (type.trim() === 'application/x-directory') {
      const tree = await this.#treeFor(path);
      this.#remember(part);
      tree?.builder.addDirectory(this.#inside(path), attributes);
      return;
    }
    const built =
      type.trim() === 'application/symlink'
        ? await this.#maker.symlink(
            await readWhole(part, MAX_SYMLINK, () => clientFault('a symlink target is too long')),
            attributes,
          )
        : await buildFile(
            this.#call.options.progress === true ? this.#withProgress(part.body, path.join('/')) : part.body,
            this.#chunkSize,
            this.#maker,
            attributes,
          );
    const names = path.length > 0 ? path : [this.#call.format(built.cid)];
    if (names.length === 1 && !this.#wraps) {
      await this.#finishTree();
      await this.#sendRoot(names.join('/'), built);
      return;
    }
    const tree = await this.#treeFor(names);
    this.#remember(part);
    tree?.builder.addFile(this.#inside(names), built);
    this.#queueLine(names.join('/'), built);
  }

  async finish(): Promise<void> {
    await this.#finishTree();
    await this.#linesSent();
  }

  /** Waits for the lines being sent, regardless of their outcome. */
  async settle(): Promise<void> {
    await this.#sending?.catch(() => undefined);
  }

  /** The tree that a path belongs to; a new top-level name completes the previous tree. */
  async #treeFor(path: readonly string[]) {
    const [top] = path;
    if (top === undefined && !this.#wraps) return undefined;
    const name = this.#wraps ? '' : (top ?? '');
    if (this.#tree?.name !== name) {
      await this.#finishTree();
      this.#tree = this.#newTree(name);
    }
    return this.#tree;
  }

  #newTree(name: string) {
    const { parts } = this.#service.limits;
    const count = () => {
      if (++this.#directories > parts) {
        throw clientFault(`the paths of the upload create more than the allowed ${parts} directories`);
      }
    };
    return { name, builder: new DirectoryBuilder(this.#maker, count, this.#attributes) };
  }

  #inside(path: readonly string[]): readonly string[] {
    return this.#wraps ? path : path.slice(1);
  }

  async #finishTree(): Promise<void> {
    const tree = this.#tree;
    if (tree === undefined) return;
    this.#tree = undefined;
    for await (const { path, built } of tree.builder.finish()) {
      const full = [tree.name, path].filter((name) => name !== '').join('/');
      if (path === '') await this.#sendRoot(full, built);
      else this.#queueLine(full, built);
    }
  }

  /** An entry is kept until its directory is built. */
  #remember({ filename = '' }: Part): void {
    this.#call.walker.charge.memory.charge(CID_BYTES + 2 * filename.length);
  }

  /** The attributes of an entry: those of the request, or its own if they are to be kept. */
  #attributesOf({ name }: Part): Attributes {
    const { 'preserve-mode': keepsMode, 'preserve-mtime': keepsTime } = this.#call.options;
    const own = attributesOfPart(name);
    return {
      mode: this.#attributes.mode ?? (keepsMode === true ? own.mode : undefined),
      mtime: this.#attributes.mtime ?? (keepsTime === true ? own.mtime : undefined),
    };
  }

  #line(Name: string, { cid, size, attributes = {} }: Built) {
    return { Name, Hash: this.#call.format(cid), Size: String(size), ...attributeFields(attributes) };
  }

  #queueLine(name: string, built: Built): void {
    if (this.#call.options.silent === true) return;
    this.#lines.push(this.#line(name, built));
    this.#sending ??= this.#sendLines();
    // The caller that awaits the lines sees the failure.
    this.#sending.catch(() => undefined);
  }

  async #sendLines(): Promise<void> {
    while (this.#lines.length > 0) {
      const lines = this.#lines.splice(0);
      if (this.#stores) await this.#service.store.commit();
      for (const line of lines) await this.#call.reply.object(line);
    }
    // Reset in the same step that found the queue empty, so that a later line starts a new send. Not reset after a
    // failure.
    this.#sending = undefined;
  }

  async #linesSent(): Promise<void> {
    await this.#sending;
  }

  /** Reports the root of what was added, once it is durable and pinned. */
  async #sendRoot(name: string, built: Built): Promise<void> {
    const { options, reply } = this.#call;
    await this.#linesSent();
    if (this.#stores) {
      if (options.pin ?? true)
        await pinDag(built.cid, this.#call, this.#service, { name: options['pin-name'], size: built.size });
      else await this.#service.store.commit();
    }
    if (options.silent !== true) await reply.object(this.#line(name, built));
  }

  async *#withProgress(content: AsyncIterable<Uint8Array>, Name: string): AsyncGenerator<Uint8Array> {
    let Bytes = 0;
    let reported = 0;
    for await (const piece of content) {
      yield piece;
      Bytes += piece.length;
      // Reported at fixed byte counts, however the network splits the data.
      while (Bytes - reported >= PROGRESS_BYTES) {
        reported += PROGRESS_BYTES;
        await this.#call.reply.object({ Name, Bytes: reported });
      }
    }
    await this.#call.reply.object({ Name, ...(Bytes > 0 ? { Bytes } : {}) });
  }
}

export const add = defineRoute({
  path: 'add',
  costs: ['upload', 'multipart', 'part', 'entries', 'blocks', 'hash', 'disk', 'sync', 'walk', 'pin', 'stream'],
  needs: ({ pin }) => ((pin ?? true) ? ['write', 'pin'] : ['write']),
  args: [],
  file: 'path',
  options: ADD_OPTIONS,
  run: async (service, call) => {
    const adder = new Adder(service, call);
    try {
      for await (const part of call.parts()) await adder.take(part);
      await adder.finish();
    } finally {
      await adder.settle();
    }
    call.reply.endObjects();
  },
});
