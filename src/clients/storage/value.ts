import { fromUtf8, Reader } from './bytes';
import { type Cid, DAG_PB, RAW, readCid } from './cid';
import { malformed, StorageError } from './errors';
import { decodeNode } from './node';

const DAG_CBOR = 0x71;
const DAG_JSON = 0x0129;

/**
 * The value of an IPLD node in dag-json form: a link is
 * `{ "/": "<cid>" }`, bytes are `{ "/": { "bytes": "<base64>" } }`.
 *
 * @example
 * ```ts
 * import { type DagValue } from 'keystead/clients';
 * const album: DagValue = {
 *   title: 'Summer', cover: { '/': 'bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy' } };
 * ```
 */
export type DagValue = null | boolean | number | bigint | string | DagValue[] | { [key: string]: DagValue };

const base64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')).replace(/=+$/, '');

/** Arguments and values of 64 bits become bigints if they exceed the safe integer range. */
function cborArgument(reader: Reader, info: number): number | bigint {
  if (info < 24) return info;
  if (info > 27) throw malformed();
  const value = reader.take(2 ** (info - 24)).reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  return value > Number.MAX_SAFE_INTEGER ? value : Number(value);
}

/** Allocates nothing in advance, because a block can claim any count any number of times. */
function repeated<T>(count: number, read: () => T): T[] {
  const all: T[] = [];
  while (all.length < count) all.push(read());
  return all;
}

function decodeCbor(reader: Reader): DagValue {
  const head = reader.byte();
  const major = head >> 5;
  if (major === 7) {
    const simple: Partial<Record<number, DagValue>> = { 0xf4: false, 0xf5: true, 0xf6: null };
    const known = simple[head];
    if (known !== undefined) return known;
    // The only other simple value that dag-cbor allows is a 64-bit float.
    if (head !== 0xfb) throw malformed();
    const float = reader.take(8);
    return new DataView(float.buffer, float.byteOffset, 8).getFloat64(0);
  }
  const argument = cborArgument(reader, head & 31);
  if (major === 0) return argument;
  if (major === 1) return typeof argument === 'bigint' ? -1n - argument : -1 - argument;
  const count = Number(argument);
  if (major === 2) return { '/': { bytes: base64(reader.take(count)) } };
  if (major === 3) return fromUtf8(reader.take(count));
  if (major === 6 && count === 42) {
    const length = cborArgument(reader, reader.byte() & 31);
    const link = new Reader(reader.take(Number(length)));
    link.byte();
    return { '/': readCid(link).text };
  }
  const value = () => decodeCbor(reader);
  if (major === 4) return repeated(count, value);
  if (major === 5) return Object.fromEntries(repeated(count, () => [String(value()), value()]));
  throw malformed();
}

/**
 * Decodes the value of a block.
 *
 * @throws {StorageError} `unsupported` for codecs other than dag-pb, dag-cbor, dag-json and raw, `integrity` for bytes
 * that are not valid for the codec.
 */
export const decodeValue = (cid: Cid, bytes: Uint8Array): DagValue => asIntegrityError(cid, () => decode(cid, bytes));

/** Runs `read` and reports any other error as a block that is not valid for its codec. */
function asIntegrityError<T>(cid: Cid, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof StorageError) throw error;
    throw new StorageError('integrity', `the block ${cid.text} is not valid for its codec`);
  }
}

function decode({ codec, text }: Cid, bytes: Uint8Array): DagValue {
  if (codec === DAG_CBOR) return decodeCbor(new Reader(bytes));
  if (codec === DAG_JSON) return JSON.parse(fromUtf8(bytes)) as DagValue;
  if (codec === RAW) return { '/': { bytes: base64(bytes) } };
  if (codec !== DAG_PB) throw new StorageError('unsupported', `the codec of ${text} is not supported`);
  const { data, links } = decodeNode(bytes);
  return {
    Data: { '/': { bytes: base64(data) } },
    Links: links.map(({ name, cid, size }) => ({ Hash: { '/': cid.text }, Name: name, Tsize: size })),
  };
}

/** Every CID in a value. */
function* linksIn(value: DagValue): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  const link = Array.isArray(value) ? undefined : value['/'];
  if (typeof link === 'string') yield link;
  else for (const child of Object.values(value)) yield* linksIn(child);
}

/**
 * The CIDs that a block links to.
 *
 * @throws {StorageError} `integrity` for bytes that are not valid for the codec or nested too deeply.
 */
export const linksOf = (cid: Cid, bytes: Uint8Array): string[] =>
  cid.codec === RAW ? [] : asIntegrityError(cid, () => [...linksIn(decode(cid, bytes))]);
