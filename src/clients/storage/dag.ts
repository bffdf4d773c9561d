import { concat, fromUtf8, Reader, utf8 } from './bytes';
import { check, cidBytes, cidOf, inlined, parseCid, RAW, readCid } from './cid';
import { malformed, StorageError } from './errors';
import { type Content, multipart } from './multipart';
import { type CallOptions } from './transport';
import { type StorageClient } from './index';
import { type DagValue, decodeValue, linksOf } from './value';
import { expectCid } from './verified';

export { type DagValue } from './value';

/** The commands for nodes of any codec, apart from the client for files so that only who needs them carries them. */
export class DagClient {
  readonly #storage: StorageClient;

  constructor(storage: StorageClient) {
    this.#storage = storage;
  }

  /** The value of a node, links and bytes in the form of dag-json; the block is fetched, checked and decoded here. */
  async get(cid: string, options: CallOptions = {}): Promise<DagValue> {
    const parsed = parseCid(cid);
    return decodeValue(parsed, await this.#storage.blocks.block(parsed, options));
  }

  /** Stores a value (dag-json form) as dag-cbor; the block is fetched back and must hold that value. */
  async put(value: DagValue, options: CallOptions & { readonly pin?: boolean } = {}): Promise<string> {
    const { transport } = this.#storage;
    const text = canonical(value);
    const form = multipart([{ path: undefined, content: utf8(text) }]);
    const response = await transport.post('dag/put', [], { pin: options.pin, 'stream-error': true }, options, form);
    const answer = await transport.only<{ Cid?: { '/'?: string } }>(response, options);
    const cid = answer.Cid?.['/'] ?? '';
    if (canonical(await this.get(cid, options)) !== text) {
      throw new StorageError('integrity', `the server stored another value as ${cid}`);
    }
    return cid;
  }

  /** Stores a raw block (SHA2-256) and returns its CID, computed here and compared. */
  async putBlock(bytes: Uint8Array, options: CallOptions & { readonly pin?: boolean } = {}): Promise<string> {
    const form = multipart([{ path: undefined, content: bytes }]);
    const query = { 'cid-codec': 'raw', pin: options.pin, 'stream-error': true };
    const response = await this.#storage.transport.post('block/put', [], query, options, form);
    const { Key } = await this.#storage.transport.only<{ Key: string }>(response, options);
    expectCid('block', Key, await cidOf(1, RAW, bytes));
    return Key;
  }

  /** Every block below a CID, in one request, each checked; ends with an error unless all of them came. */
  async *export(cid: string, options: CallOptions = {}): AsyncGenerator<{ cid: string; bytes: Uint8Array }> {
    const { transport } = this.#storage;
    const response = await transport.post('dag/export', [cid], {}, options);
    const wanted = new Set([formOf(cid)]);
    const came = new Set<string>();
    for await (const section of carSections(transport.pieces(response, options))) {
      const reader = new Reader(section);
      const parsed = readCid(reader);
      const own = inlined(parsed);
      const bytes = own ?? section.subarray(reader.at);
      if (own === undefined) await check(parsed, bytes);
      came.add(parsed.text);
      for (const link of linksOf(parsed, bytes)) if (inlined(parseCid(link)) === undefined) wanted.add(formOf(link));
      yield { cid: parsed.text, bytes };
    }
    const missing = [...wanted].find((link) => !came.has(link));
    if (missing !== undefined) throw new StorageError('truncated', `the CAR ends without the block ${missing}`);
  }

  /** Stores the blocks of a CAR file and pins its root. @throws StorageError when the root could not be pinned. */
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

/** A CID has many texts; its binary form has one. */
const formOf = (text: string): string => readCid(new Reader(cidBytes(parseCid(text)))).text;

/** What is not Unicode (half a surrogate pair) has no form in a node but the replacement character. */
const quoted = (text: string): string => JSON.stringify(fromUtf8(utf8(text)));

/** A value that many texts stand for (of a link, of bytes), as the server writes it. */
function inItsForm(value: Record<string, DagValue>): Record<string, DagValue> {
  const { '/': content, ...others } = value;
  if (Object.keys(others).length > 0) return value;
  if (typeof content === 'string') return { '/': formOf(content) };
  if (typeof content !== 'object' || content === null || Array.isArray(content)) return value;
  const { bytes, ...beside } = content;
  if (typeof bytes !== 'string' || Object.keys(beside).length > 0) return value;
  return { '/': { bytes: bytes.replace(/=+$/, '') } };
}

/**
 * A value as dag-json that does not depend on the order of keys, nor on how a link or bytes are written.
 *
 * @throws StorageError `unsupported` for a number that is none, and a link that is no CID this client reads.
 */
function canonical(value: DagValue): string {
  // As integers, with every digit: the shortest text of a large number is another integer.
  if (typeof value === 'bigint' || (Number.isInteger(value) && Math.abs(value as number) < 2 ** 64)) {
    return String(BigInt(value as number | bigint));
  }
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new StorageError('unsupported', `${value} has no form in a node`);
  }
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item: DagValue | undefined) => canonical(item ?? null)).join()}]`;
  const form = inItsForm(value);
  const members = Object.keys(form).map((key) => `${quoted(key)}:${canonical(form[key] ?? null)}`);
  return `{${members.sort().join()}}`;
}

/** Longer than any block, so that a wrong length does not make the client wait for it. */
const MAX_SECTION = 32 << 20;

/** The sections behind the header of a CAR version 1 file. */
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
  if (held.length > 0 || header) throw new StorageError('truncated', 'the CAR is cut');
}

function sectionEnd(bytes: Uint8Array): { start: number; end: number } | undefined {
  if (!bytes.subarray(0, 9).some((byte) => byte < 128)) return undefined;
  const reader = new Reader(bytes);
  const length = reader.varint();
  return { start: reader.at, end: reader.at + length };
}
