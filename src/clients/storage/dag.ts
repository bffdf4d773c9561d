import { concat, fromUtf8, Reader, utf8 } from './bytes';
import { check, cidBytes, cidOf, inlined, parseCid, RAW, readCid } from './cid';
import { malformed, StorageError } from './errors';
import { type Content, multipart } from './multipart';
import { type CallOptions } from './transport';
import { type StorageClient } from './index';
import { type DagValue, decodeValue, linksOf } from './value';
import { expectCid } from './verified';

export { type DagValue } from './value';

/**
 * A client for IPLD nodes of any codec. It is separate from {@link StorageClient} so that applications bundle it only
 * if they use it. Every method throws a {@link StorageError} on failure.
 *
 * @example
 * ```ts
 * import { DagClient, StorageClient } from 'keystead/clients';
 * const dag = new DagClient(new StorageClient({ url: 'https://storage.example', key: '<API_KEY>', secret: '<SECRET>' }));
 * const cid = await dag.put({ name: 'Alice', age: 7 });
 * await dag.get(cid); // => { name: 'Alice', age: 7 }
 * ```
 */
export class DagClient {
  readonly #storage: StorageClient;

  /** @param storage - The client to send requests with. */
  constructor(storage: StorageClient) {
    this.#storage = storage;
  }

  /**
   * Fetches the block of a node, verifies it against its CID and decodes it.
   *
   * @returns The value, with links and bytes in dag-json form.
   * @throws {StorageError} `integrity` if the block does not match its CID or codec, `unsupported` for codecs other
   * than dag-pb, dag-cbor, dag-json and raw.
   */
  async get(cid: string, options: CallOptions = {}): Promise<DagValue> {
    const parsed = parseCid(cid);
    return decodeValue(parsed, await this.#storage.blocks.block(parsed, options));
  }

  /**
   * Stores a value as dag-cbor, then fetches the block back and compares it with the value.
   *
   * @param value - The value, with links and bytes in dag-json form.
   * @returns The CID of the node.
   * @throws {StorageError} `integrity` if the server stored a different value.
   */
  async put(value: DagValue, options: CallOptions & { readonly pin?: boolean } = {}): Promise<string> {
    const { transport } = this.#storage;
    const text = canonical(value);
    const form = multipart([{ path: undefined, content: utf8(text) }]);
    const response = await transport.post('dag/put', [], { pin: options.pin, 'stream-error': true }, options, form);
    const answer = await transport.only<{ Cid?: { '/'?: string } }>(response, options);
    const cid = answer.Cid?.['/'] ?? '';
    if (canonical(await this.get(cid, options)) !== text) {
      throw new StorageError('integrity', `the server stored a different value as ${cid}`);
    }
    return cid;
  }

  /**
   * Stores a raw block (SHA2-256).
   *
   * @returns The CID, computed locally and compared with the server's.
   * @throws {StorageError} `integrity` if the server returns another CID.
   */
  async putBlock(bytes: Uint8Array, options: CallOptions & { readonly pin?: boolean } = {}): Promise<string> {
    const form = multipart([{ path: undefined, content: bytes }]);
    const query = { 'cid-codec': 'raw', pin: options.pin, 'stream-error': true };
    const response = await this.#storage.transport.post('block/put', [], query, options, form);
    const { Key } = await this.#storage.transport.only<{ Key: string }>(response, options);
    expectCid('block', Key, await cidOf(1, RAW, bytes));
    return Key;
  }

  /**
   * Exports all blocks below a CID in one request (a CAR file) and verifies each one.
   *
   * @returns The blocks, one by one.
   * @throws {StorageError} `truncated` at the end if a block is missing.
   */
  async *export(cid: string, options: CallOptions = {}): AsyncGenerator<{ cid: string; bytes: Uint8Array }> {
    const { transport } = this.#storage;
    const response = await transport.post('dag/export', [cid], {}, options);
    const wanted = new Set([canonicalCid(cid)]);
    const came = new Set<string>();
    for await (const section of carSections(transport.pieces(response, options))) {
      const reader = new Reader(section);
      const parsed = readCid(reader);
      const own = inlined(parsed);
      const bytes = own ?? section.subarray(reader.at);
      if (own === undefined) await check(parsed, bytes);
      came.add(parsed.text);
      for (const link of linksOf(parsed, bytes))
        if (inlined(parseCid(link)) === undefined) wanted.add(canonicalCid(link));
      yield { cid: parsed.text, bytes };
    }
    const missing = [...wanted].find((link) => !came.has(link));
    if (missing !== undefined) throw new StorageError('truncated', `the CAR ends without the block ${missing}`);
  }

  /**
   * Stores the blocks of a CAR file and pins its roots.
   *
   * @param car - The CAR file.
   * @param options - With `pinRoots: false`, the roots are not pinned.
   * @returns The CIDs of the roots.
   * @throws {StorageError} `stream` if a root could not be pinned, `truncated` if the server did not confirm the
   * import.
   */
  async import(car: Content, options: CallOptions & { readonly pinRoots?: boolean } = {}): Promise<string[]> {
    const { transport } = this.#storage;
    const form = multipart([{ path: 'import.car', content: car }]);
    const query = { 'pin-roots': options.pinRoots, stats: true, 'stream-error': true };
    const response = await transport.post('dag/import', [], query, options, form);
    const roots: string[] = [];
    let finished = false;
    type Line = { Root?: { Cid?: { '/': string }; PinErrorMsg?: string } | null; Stats?: object | null };
    for await (const { Root, Stats } of transport.objects<Line>(response, options)) {
      if (Root?.PinErrorMsg) throw new StorageError('stream', Root.PinErrorMsg);
      if (Root?.Cid) roots.push(Root.Cid['/']);
      finished ||= Boolean(Stats);
    }
    if (!finished) throw new StorageError('truncated', 'the server did not confirm the import');
    return roots;
  }
}

/** The canonical text of a CID. One CID can be written in several ways. */
const canonicalCid = (text: string): string => readCid(new Reader(cidBytes(parseCid(text)))).text;

/** Quotes a string as JSON. An unpaired surrogate becomes the replacement character, as in a node. */
const quoted = (text: string): string => JSON.stringify(fromUtf8(utf8(text)));

/** Normalizes a link or bytes, which can be written in several ways, to the form that servers use. */
function normalized(value: Record<string, DagValue>): Record<string, DagValue> {
  const { '/': content, ...others } = value;
  if (Object.keys(others).length > 0) return value;
  if (typeof content === 'string') return { '/': canonicalCid(content) };
  if (typeof content !== 'object' || content === null || Array.isArray(content)) return value;
  const { bytes, ...beside } = content;
  if (typeof bytes !== 'string' || Object.keys(beside).length > 0) return value;
  return { '/': { bytes: bytes.replace(/=+$/, '') } };
}

/**
 * Serializes a value to dag-json with sorted keys and canonical links and bytes.
 *
 * @throws {StorageError} `unsupported` for a number that is not finite, and for a link that is not a supported CID.
 */
function canonical(value: DagValue): string {
  // Write integers with every digit: the shortest text of a large number denotes another integer.
  if (typeof value === 'bigint' || (Number.isInteger(value) && Math.abs(value as number) < 2 ** 64)) {
    return String(BigInt(value as number | bigint));
  }
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new StorageError('unsupported', `${value} cannot be stored in a node`);
  }
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item: DagValue | undefined) => canonical(item ?? null)).join()}]`;
  const form = normalized(value);
  const members = Object.keys(form).map((key) => `${quoted(key)}:${canonical(form[key] ?? null)}`);
  return `{${members.sort().join()}}`;
}

/** Larger than any block. Prevents a wrong length from making the client wait for data. */
const MAX_SECTION = 32 << 20;

/** The sections after the header of a CAR version 1 file. */
async function* carSections(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array = new Uint8Array(0);
  let header = true;
  for await (const piece of pieces) {
    held = concat([held, piece]);
    for (;;) {
      const length = sectionEnd(held);
      if (length !== undefined && length.end > MAX_SECTION) throw malformed();
      if (length === undefined || length.end > held.length) break;
      if (!header) yield held.subarray(length.start, length.end);
      header = false;
      held = held.subarray(length.end);
    }
  }
  if (held.length > 0 || header) throw new StorageError('truncated', 'the CAR is truncated');
}

function sectionEnd(bytes: Uint8Array): { start: number; end: number } | undefined {
  if (!bytes.subarray(0, 9).some((byte) => byte < 128)) return undefined;
  const reader = new Reader(bytes);
  const length = reader.varint();
  return { start: reader.at, end: reader.at + length };
}
