import { collect, concat, sumOf } from './bytes';
import { check, type Cid, cidOf, DAG_PB, inlined, parseCid, RAW, sameContent } from './cid';
import { malformed, StorageError, wrongKind } from './errors';
import { type Content, slices } from './multipart';
import { type Built, decodeNode, encodeFile, encodeLeaf, type Node, type NodeLink } from './node';
import { type CallOptions, type Transport } from './transport';

/** Fetches blocks and verifies each one against its CID. */
export class VerifiedBlocks {
  constructor(
    readonly transport: Transport,
    readonly concurrency: number,
  ) {}

  /** Fetches a block and verifies it. */
  async block(cid: Cid, options: CallOptions): Promise<Uint8Array> {
    const own = inlined(cid);
    if (own) return own;
    const response = await this.transport.post('block/get', [cid.text], {}, options);
    const bytes = concat(await collect(this.transport.pieces(response, options)));
    await check(cid, bytes);
    return bytes;
  }

  /** Resolves a path such as `<cid>/directory/file` or `/ipfs/<cid>` through verified blocks. */
  async resolve(path: string, options: CallOptions): Promise<Cid> {
    const [root = '', ...names] = path
      .replace(/^\/?ip[fl][sd]\//, '')
      .split('/')
      .filter(Boolean);
    let cid = parseCid(root);
    for (const name of names) cid = await this.#entry(cid, name, options);
    return cid;
  }

  async #entry(directory: Cid, name: string, options: CallOptions): Promise<Cid> {
    for await (const link of this.entries(directory, options)) if (link.name === name) return link.cid;
    throw new StorageError('refused', `${directory.text} has no "${name}"`);
  }

  /**
   * The entries of a directory, which may be sharded.
   *
   * @param seen - The shards visited so far. A repeated shard is an error, because a few small blocks could otherwise
   * form an endless directory.
   */
  async *entries(cid: Cid, options: CallOptions, seen = new Set<string>()): AsyncGenerator<NodeLink> {
    if (seen.has(cid.text)) throw malformed();
    seen.add(cid.text);
    const { type, links, fanout } = await this.#node(cid, options);
    const isSharded = type === 5;
    if (type !== 1 && !isSharded) throw wrongKind(cid.text, 'directory');
    const prefix = isSharded ? (fanout - 1).toString(16).length : 0;
    for (const link of links) {
      if (isSharded && link.name.length === prefix) yield* this.entries(link.cid, options, seen);
      else yield { ...link, name: link.name.slice(prefix) };
    }
  }

  /** Yields the bytes of a file from `offset` up to `end`, each with the size of the whole file. */
  async *file(
    cid: Cid,
    offset: number,
    end: number,
    options: CallOptions,
  ): AsyncGenerator<{ bytes: Uint8Array; size: number }> {
    const root = await this.#node(cid, options);
    if (root.type !== 2 && root.type !== 0) throw wrongKind(cid.text, 'file');
    for await (const bytes of this.#content(root, offset, end, options, 0)) yield { bytes, size: root.fileSize };
  }

  async #node(cid: Cid, options: CallOptions): Promise<Node> {
    const bytes = await this.block(cid, options);
    const isRaw = cid.codec === RAW;
    if (!isRaw && cid.codec !== DAG_PB) throw wrongKind(cid.text, 'UnixFS node');
    const node = isRaw ? { ...decodeNode(concat([])), type: 2, content: bytes } : decodeNode(bytes);
    const size = node.content.length + sumOf(node.blockSizes, Number);
    const whole =
      node.type === 5 ||
      node.type === 1 ||
      (node.blockSizes.length === node.links.length && size === (node.fileSize || size));
    if (!whole) throw malformed();
    return { ...node, fileSize: size };
  }

  async *#content(
    node: Node,
    offset: number,
    end: number,
    options: CallOptions,
    base: number,
  ): AsyncGenerator<Uint8Array> {
    const cut = (bytes: Uint8Array) => bytes.subarray(Math.max(0, offset - base), Math.max(0, end - base));
    if (cut(node.content).length > 0) yield cut(node.content);
    let at = base + node.content.length;
    const children = node.links.flatMap(({ cid }, index) => {
      const size = node.blockSizes[index] ?? 0;
      at += size;
      return size > 0 && at > offset && at - size < end ? [{ cid, size, at: at - size }] : [];
    });
    const under: Promise<Node>[] = [];
    for (const [index, { size, at: start }] of children.entries()) {
      for (const next of children.slice(index + under.length, index + this.concurrency)) {
        const fetching = this.#node(next.cid, options);
        // Awaited later. An earlier failure must not count as an unhandled rejection.
        fetching.catch(() => undefined);
        under.push(fetching);
      }
      const child = await under.shift();
      if (child?.fileSize !== size) throw malformed();
      yield* this.#content(child, offset, end, options, start);
    }
  }
}

/**
 * Import settings, which affect the CID. The defaults are Kubo's.
 *
 * @example
 * ```ts
 * import { type ImportOptions } from 'keystead/clients';
 * const options: ImportOptions = { cidVersion: 1, chunkSize: 1024 * 1024 };
 * ```
 */
export type ImportOptions = {
  /** Default: 0. */
  readonly cidVersion?: 0 | 1;
  /** Whether leaves are raw blocks. Default: true for CID version 1. */
  readonly rawLeaves?: boolean;
  /** The chunk size in bytes. Default: 262144. */

  readonly chunkSize?: number;
};

/** The default chunk size in bytes. */
export const CHUNK_SIZE = 262144;
const CHILDREN = 174;

/** Computes the CID and sizes that `add` must return for a file. */
export async function buildFile(
  content: Content,
  { cidVersion = 0, rawLeaves = cidVersion === 1, chunkSize = CHUNK_SIZE }: ImportOptions,
): Promise<Built> {
  let row: Built[] = [];
  for await (const piece of slices(content, chunkSize)) {
    const block = rawLeaves ? piece : encodeLeaf(piece);
    const cid = await cidOf(cidVersion, rawLeaves ? RAW : DAG_PB, block);
    row.push({ cid, size: block.length, fileSize: piece.length });
  }
  while (row.length > 1) {
    const parents: Built[] = [];
    for (let at = 0; at < row.length; at += CHILDREN) {
      const children = row.slice(at, at + CHILDREN);
      const fileSize = sumOf(children, (child) => child.fileSize);
      const block = encodeFile(children, fileSize);
      const size = block.length + sumOf(children, (child) => child.size);
      parents.push({ cid: await cidOf(cidVersion, DAG_PB, block), size, fileSize });
    }
    row = parents;
  }
  // Even empty content has one piece.
  return row[0] as Built;
}

/** @throws {StorageError} `integrity` if the CID from the server differs from the computed one. */
export function expectCid(name: string, answered: string, computed: Cid): void {
  if (sameContent(parseCid(answered), computed)) return;
  throw new StorageError('integrity', `"${name}" is ${computed.text}, not ${answered}`);
}
