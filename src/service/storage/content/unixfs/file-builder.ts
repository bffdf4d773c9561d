import { type CID } from 'multiformats/cid';
import { makeCid } from '../cids';
import { digestOf, IDENTITY, mustBeSafe } from '../../store/hashes';
import { type Charge } from '../../../admission/charge';
import { type Attributes, hasAttributes } from './attributes';
import { encodeFileNode, encodePb, leafFraming, UnixFsType } from './node';

/** Receives finished blocks; resolves once the block is stored (or at once if only hashes are wanted). */
export type BlockSink = (cid: CID, bytes: Uint8Array) => Promise<void>;

/** How content becomes blocks. The same settings give the same CIDs as Kubo. */
export type ImportSettings = {
  readonly cidVersion: 0 | 1;
  readonly rawLeaves: boolean;
  /** Multicodec code of the hash function. */
  readonly hash: number;
  /** Maximum bytes of a block that is inlined into its CID; undefined: never. */
  readonly inlineLimit: number | undefined;
  readonly maxLinks: number;
  /** The rules by which directories are sharded (IPIP-499). */
  readonly profile: CidProfile;
};

/** The sets of rules that IPIP-499 names. @see https://specs.ipfs.tech/ipips/ipip-0499/ */
export type CidProfile = 'unixfs-v0-2015' | 'unixfs-v1-2025';

/** A built node: `size` is the bytes of all blocks below and itself, `fileSize` the bytes of content. */
export type Built = {
  readonly cid: CID;
  readonly size: number;
  readonly fileSize: number;
  readonly attributes?: Attributes;
};

export const DAG_PB = 0x70;
export const RAW = 0x55;

/** Turns blocks into CIDs with one set of import settings, and passes them on. */
export class BlockMaker {
  readonly settings: ImportSettings;
  readonly #sink: BlockSink;
  readonly charge: Charge;

  constructor(settings: ImportSettings, sink: BlockSink, charge: Charge) {
    this.charge = charge;
    this.settings = settings;
    this.#sink = sink;
  }

  /** Makes a leaf of `pieces`, with `length` bytes in total. */
  async leaf(pieces: readonly Uint8Array[], length: number, attributes: Attributes = {}): Promise<Built> {
    const { rawLeaves } = this.settings;
    const { before, after } = rawLeaves ? NO_FRAMING : leafFraming(length, UnixFsType.File, attributes);
    const bytes = Buffer.concat([before, ...pieces, after]);
    return { cid: await this.block(rawLeaves ? RAW : DAG_PB, bytes), size: bytes.length, fileSize: length, attributes };
  }

  /** Makes any other block. */
  async block(codec: number, bytes: Uint8Array): Promise<CID> {
    const pause = this.charge.yield();
    if (pause !== undefined) await pause;
    const isInline = this.settings.hash === IDENTITY || this.#inlines(bytes.length);
    const digest = await digestOf(isInline ? IDENTITY : this.settings.hash, bytes, this.charge);
    mustBeSafe(digest);
    if (isInline) return makeCid(1, codec, digest);
    const cid = makeCid(this.settings.cidVersion, codec, digest);
    await this.#sink(cid, bytes);
    return cid;
  }

  /** A symbolic link has a time, but no permissions of its own. */
  async symlink(target: Uint8Array, { mtime }: Attributes = {}): Promise<Built> {
    const attributes = { mtime };
    const { before, after } = leafFraming(target.length, UnixFsType.Symlink, attributes);
    const bytes = Buffer.concat([before, target, after]);
    return { cid: await this.block(DAG_PB, bytes), size: bytes.length, fileSize: target.length, attributes };
  }

  #inlines(length: number): boolean {
    return this.settings.inlineLimit !== undefined && length <= this.settings.inlineLimit;
  }
}

const NO_FRAMING = { before: new Uint8Array(0), after: new Uint8Array(0) };

/** Builds the balanced tree of a file, level by level, from leaves in order. */
class BalancedTree {
  readonly #maker: BlockMaker;
  readonly #levels: Built[][] = [];

  constructor(maker: BlockMaker) {
    this.#maker = maker;
  }

  async add(node: Built, level = 0): Promise<void> {
    const nodes = (this.#levels[level] ??= []);
    // A full row is closed only when another node follows, so that the last one can become the root.
    if (nodes.length === this.#maker.settings.maxLinks) {
      await this.add(await this.#parent(nodes), level + 1);
      this.#levels[level] = [node];
    } else nodes.push(node);
  }

  /** @param attributes - Of the file: only its root has them. */
  async finish(attributes: Attributes): Promise<Built> {
    for (let level = 0; ; level++) {
      const nodes = this.#levels[level] ?? [];
      if (level < this.#levels.length - 1) await this.add(await this.#parent(nodes), level + 1);
      else {
        const [only] = nodes;
        return nodes.length === 1 && only !== undefined ? only : this.#parent(nodes, attributes);
      }
    }
  }

  async #parent(children: readonly Built[], attributes: Attributes = {}): Promise<Built> {
    const fileSize = children.reduce((sum, child) => sum + child.fileSize, 0);
    const bytes = encodePb({
      Data: encodeFileNode(
        fileSize,
        children.map((child) => child.fileSize),
        attributes,
      ),
      Links: children.map((child) => ({ Hash: child.cid, Name: '', Tsize: child.size })),
    });
    const cid = await this.#maker.block(DAG_PB, bytes);
    return { cid, size: bytes.length + children.reduce((sum, child) => sum + child.size, 0), fileSize, attributes };
  }
}

/** Leaves of one upload that are being written concurrently. */
const UNDER_WAY = 16;

/**
 * Stores a file in the balanced layout.
 *
 * @param content the bytes, in pieces of any size; the pieces must stay unchanged.
 * @param chunkSize bytes per leaf.
 * @param attributes of the file; then the leaves must not be raw, since a single one is the root.
 */
export async function buildFile(
  content: AsyncIterable<Uint8Array>,
  chunkSize: number,
  maker: BlockMaker,
  attributes: Attributes = {},
): Promise<Built> {
  const tree = new BalancedTree(maker);
  const underWay: Promise<Built>[] = [];
  /** The first chunk, which is the whole file unless another follows. */
  let first: Chunk | undefined;
  const takeOldest = async () => {
    const oldest = await underWay.shift();
    if (oldest !== undefined) await tree.add(oldest);
  };
  const begin = async ({ pieces, length }: Chunk) => {
    const leaf = maker.leaf(pieces, length);
    // Awaited in order; until then a failure must not count as unhandled.
    leaf.catch(() => undefined);
    underWay.push(leaf);
    if (underWay.length >= UNDER_WAY) await takeOldest();
  };
  try {
    let count = 0;
    for await (const each of chunk(content, chunkSize)) {
      if (count++ === 0 && hasAttributes(attributes)) first = each;
      else {
        if (first !== undefined) await begin(first);
        first = undefined;
        await begin(each);
      }
    }
    if (first !== undefined) return await maker.leaf(first.pieces, first.length, attributes);
    while (underWay.length > 0) await takeOldest();
  } finally {
    await Promise.allSettled(underWay);
  }
  return tree.finish(attributes);
}

type Chunk = { pieces: Uint8Array[]; length: number };

/** Splits a stream into chunks of exactly `size` bytes, the last one shorter; at least one chunk, possibly empty. */
async function* chunk(content: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Chunk> {
  let pieces: Uint8Array[] = [];
  let length = 0;
  let count = 0;
  for await (let piece of content) {
    while (length + piece.length >= size) {
      const taken = size - length;
      pieces.push(piece.subarray(0, taken));
      yield { pieces, length: size };
      count++;
      piece = piece.subarray(taken);
      pieces = [];
      length = 0;
    }
    if (piece.length > 0) {
      pieces.push(piece);
      length += piece.length;
    }
  }
  if (length > 0 || count === 0) yield { pieces, length };
}
