import { importer, type InProgressImportResult } from 'ipfs-unixfs-importer';
import { keyText } from '../../store/block-store';
import { clientFault, CommandError } from '../../errors';
import { SHA2_256 } from '../../store/hashes';
import { type Charge } from '../../../admission/charge';
import { type BlockMaker, type Built, DAG_PB } from './file-builder';
import { nameHash } from './hamt';
import { type Attributes, encodeAttributes, hasAttributes } from './attributes';
import { decodePb, directoryData, encodePb } from './node';

type Tree = { readonly entries: Map<string, Built | Tree>; attributes: Attributes };

/** Kubo shards a directory whose names and CIDs take more bytes than this; near the limit the importer decides. */
const SHARDING_BYTES = 256 << 10;

const isTree = (entry: Built | Tree): entry is Tree => 'entries' in entry;

/**
 * Rejects names with identical hashes: a HAMT has no separate positions for them at any depth, and such names can be
 * constructed on purpose.
 */
async function rejectHashCollisions(entries: readonly (readonly [string, Built])[], charge: Charge): Promise<void> {
  const names = new Map<string, string>();
  for (const [name] of entries) {
    await charge.yield();
    const hash = keyText(await nameHash(name));
    const other = names.get(hash);
    if (other !== undefined) {
      throw clientFault(
        `a directory this large cannot hold both ${JSON.stringify(other)} and ${JSON.stringify(name)}: their hashes collide`,
      );
    }
    names.set(hash, name);
  }
}

/** The entries in the form that the importer would have built. */
async function* imported(
  entries: readonly (readonly [string, Built])[],
  charge: Charge,
): AsyncGenerator<() => Promise<InProgressImportResult>> {
  for (const [path, { cid, size }] of entries) {
    await charge.yield();
    yield () => Promise.resolve({ path, cid, size: BigInt(size) });
  }
}

/** Collects files under their paths, then stores the directories above them. */
export class DirectoryBuilder {
  readonly #root: Tree;
  readonly #maker: BlockMaker;
  readonly #onDirectory: () => void;
  readonly #attributes: Attributes;

  /**
   * @param onDirectory called for each directory that a path creates; throwing ends the upload.
   * @param attributes of directories that are not added with their own.
   */
  constructor(maker: BlockMaker, onDirectory: () => void, attributes: Attributes = {}) {
    this.#maker = maker;
    this.#onDirectory = onDirectory;
    this.#attributes = attributes;
    this.#root = { entries: new Map(), attributes };
  }

  /** @param path names from the top down, none empty. @throws CommandError if the path is taken. */
  addFile(path: readonly string[], file: Built): void {
    const name = path.at(-1) ?? '';
    const parent = this.#directory(path.slice(0, -1));
    if (parent.entries.has(name)) throw new CommandError('directory already has entry by that name');
    parent.entries.set(name, file);
  }

  addDirectory(path: readonly string[], attributes: Attributes): void {
    this.#directory(path).attributes = attributes;
  }

  /** Stores every directory, children first. Yields each with its path; the root (path `''`) last. */
  async *finish(): AsyncGenerator<{ path: string; built: Built }> {
    yield* this.#store(this.#root, '');
  }

  #directory(path: readonly string[]): Tree {
    let tree = this.#root;
    for (const name of path) {
      let next = tree.entries.get(name);
      if (next === undefined) {
        this.#onDirectory();
        next = { entries: new Map(), attributes: this.#attributes };
        tree.entries.set(name, next);
      }
      if (!isTree(next)) throw clientFault(`"${name}" is both a file and a directory`);
      tree = next;
    }
    return tree;
  }

  async *#store(tree: Tree, path: string): AsyncGenerator<{ path: string; built: Built }, Built> {
    const entries: [string, Built][] = [];
    for (const name of [...tree.entries.keys()].sort()) {
      const entry = tree.entries.get(name);
      if (entry === undefined) continue;
      const built = isTree(entry) ? yield* this.#store(entry, path === '' ? name : `${path}/${name}`) : entry;
      entries.push([name, built]);
    }
    const bytes = entries.reduce((sum, [name, { cid }]) => sum + Buffer.byteLength(name) + cid.bytes.length, 0);
    const built =
      bytes > SHARDING_BYTES / 2
        ? await this.#large(entries, tree.attributes)
        : await this.#flat(entries, tree.attributes);
    yield { path, built };
    return built;
  }

  async #flat(entries: readonly (readonly [string, Built])[], attributes: Attributes): Promise<Built> {
    const bytes = encodePb({
      Data: directoryData(attributes),
      Links: entries.map(([name, { cid, size }]) => ({ Hash: cid, Name: name, Tsize: size })),
    });
    const cid = await this.#maker.block(DAG_PB, bytes);
    return {
      cid,
      size: bytes.length + entries.reduce((sum, [, child]) => sum + child.size, 0),
      fileSize: 0,
      attributes,
    };
  }

  /** A directory that may need a HAMT: the importer decides and builds it. */
  async #large(entries: readonly (readonly [string, Built])[], attributes: Attributes): Promise<Built> {
    const { settings } = this.#maker;
    if (settings.hash !== SHA2_256) {
      throw new CommandError('directories with this many entries need hash=sha2-256');
    }
    await rejectHashCollisions(entries, this.#maker.charge);
    let last: Uint8Array = new Uint8Array(0);
    const blocks = { put: async (_cid: unknown, bytes: Uint8Array) => this.#maker.block(DAG_PB, (last = bytes)) };
    const results = importer([], blocks as Parameters<typeof importer>[1], {
      profile: settings.profile,
      cidVersion: settings.cidVersion,
      wrapWithDirectory: true,
      dagBuilder: () => imported(entries, this.#maker.charge),
    });
    let root: Built | undefined;
    for await (const { cid, size } of results) root = { cid, size: Number(size), fileSize: 0 };
    if (root === undefined) throw new Error('the importer returned no directory');
    return hasAttributes(attributes) ? this.#withAttributes(root, last, attributes) : root;
  }

  /** The importer knows nothing of the attributes, which end the message in the root. */
  async #withAttributes(root: Built, block: Uint8Array, attributes: Attributes): Promise<Built> {
    const { Data = new Uint8Array(0), Links } = decodePb(block);
    const bytes = encodePb({ Data: Buffer.concat([Data, Uint8Array.from(encodeAttributes(attributes))]), Links });
    const cid = await this.#maker.block(DAG_PB, bytes);
    return { cid, size: root.size + bytes.length - block.length, fileSize: 0, attributes };
  }
}
