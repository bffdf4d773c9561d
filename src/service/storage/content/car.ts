import * as dagCbor from '@ipld/dag-cbor';
import { CID } from 'multiformats/cid';
import { dagCborCodec } from './cbor-codec';
import { type Charge } from '../../admission/charge';
import { decodeVarint, encodeVarint } from './varint';
import { clientFault, CommandError, messageOf } from '../errors';

/** Limits on reading a CAR file. */
type CarLimits = {
  readonly blockBytes: number;
  readonly blocks: number;
  /** The error for a block that is larger. */
  readonly tooBig: () => Error;
  /** Of the request. */
  readonly charge: Charge;
};

type CarBlock = { readonly cid: CID; readonly bytes: Uint8Array };

const MAX_HEADER = 1 << 20;
const MAX_CID = 128 + 24;
/** Maximum size of a CID and its block together, whatever the block limit, as in Kubo. */
const MAX_SECTION = 8 << 20;
/** Start of a CAR version 2 file: an 11 byte pragma, which is a version 1 header with `version: 2`. */
const V2_HEADER = 40;

/** The header of a CAR version 1 file. @see https://ipld.io/specs/transport/car/carv1/ */
export function carHeader(roots: readonly CID[]): Uint8Array {
  const header = dagCbor.encode({ roots, version: 1 });
  return Buffer.concat([encodeVarint(header.length), header]);
}

/** What a CAR file has before the bytes of a block: their length with that of the CID, and the CID. */
export const recordHead = (cid: CID, length: number): Uint8Array =>
  Buffer.concat([encodeVarint(cid.bytes.length + length), cid.bytes]);

const unexpectedEnd = () => new CommandError('unexpected EOF');

/** Reads exact lengths from a stream. */
class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #bytes = Buffer.alloc(0);
  position = 0;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Whether at least `length` bytes are left. */
  async has(length: number): Promise<boolean> {
    const pieces: Uint8Array[] = [this.#bytes];
    let have = this.#bytes.length;
    while (have < length) {
      const next = await this.#source.next();
      if (next.done === true) break;
      pieces.push(next.value);
      have += next.value.length;
    }
    if (pieces.length > 1) this.#bytes = Buffer.concat(pieces);
    return have >= length;
  }

  async take(length: number): Promise<Uint8Array> {
    if (!(await this.has(length))) throw unexpectedEnd();
    const taken = this.#bytes.subarray(0, length);
    this.#bytes = this.#bytes.subarray(length);
    this.position += length;
    return taken;
  }

  /** The next varint, `undefined` at the end of the stream. */
  async varint(): Promise<number | undefined> {
    for (let length = 1; ; length++) {
      if (!(await this.has(length))) {
        if (length === 1) return undefined;
        throw unexpectedEnd();
      }
      const read = decodeVarint(this.#bytes.subarray(0, length), 0);
      if (read === undefined) continue;
      await this.take(length);
      return read.value;
    }
  }

  async drain(): Promise<void> {
    this.#bytes = Buffer.alloc(0);
    while ((await this.#source.next()).done !== true);
  }
}

async function readHeader(reader: ByteReader, charge: Charge): Promise<{ roots: CID[]; version: number }> {
  const length = await reader.varint();
  if (length === undefined) throw unexpectedEnd();
  if (length === 0 || length > MAX_HEADER) throw new CommandError('invalid car header length');
  const bytes = await reader.take(length);
  await charge.yield(length);
  // Within the bounds of a node: one byte may be a map.
  const value = dagCborCodec.decode(bytes);
  if (!(value instanceof Map) || !value.has('version')) throw new CommandError('invalid car header');
  const [listed, version]: unknown[] = [value.get('roots'), value.get('version')];
  const roots = (Array.isArray(listed) ? listed : []).map((root: unknown) => {
    const cid = CID.asCID(root);
    if (cid === null) throw new CommandError('invalid car header: a root is not a CID');
    return cid;
  });
  if (typeof version !== 'number') throw new CommandError('invalid car header: the version is not a number');
  return { roots, version };
}

/** Skips the header of a version 2 file; returns the length of the inner version 1 file. */
async function enterVersion2(reader: ByteReader): Promise<number> {
  const header = Buffer.from(await reader.take(V2_HEADER));
  const offset = Number(header.readBigUInt64LE(16));
  const size = Number(header.readBigUInt64LE(24));
  const gap = offset - reader.position;
  if (!Number.isSafeInteger(gap) || gap < 0 || gap > MAX_HEADER || !Number.isSafeInteger(size)) {
    throw new CommandError('invalid car version 2 header');
  }
  await reader.take(gap);
  return reader.position + size;
}

/**
 * Reads a CAR file, version 1 or 2, block by block; hashes are not checked here.
 *
 * @throws CommandError with Kubo's wording for truncated or malformed input, `limits.tooBig` for a block over the
 * limit.
 */
export async function readCar(
  source: AsyncIterable<Uint8Array>,
  limits: CarLimits,
): Promise<{ roots: CID[]; blocks: AsyncGenerator<CarBlock> }> {
  const reader = new ByteReader(source);
  let end = Number.MAX_SAFE_INTEGER;
  let header = await readHeaderSafely(reader, limits.charge);
  if (header.version === 2) {
    end = await enterVersion2(reader);
    header = await readHeaderSafely(reader, limits.charge);
  }
  if (header.version !== 1) throw new CommandError(`invalid car version: ${header.version}`);
  return { roots: header.roots, blocks: readBlocks(reader, end, limits) };
}

async function readHeaderSafely(reader: ByteReader, charge: Charge) {
  try {
    return await readHeader(reader, charge);
  } catch (error) {
    throw error instanceof CommandError ? error : new CommandError(`invalid header: ${messageOf(error)}`);
  }
}

async function* readBlocks(reader: ByteReader, end: number, limits: CarLimits): AsyncGenerator<CarBlock> {
  for (let count = 0; reader.position < end; count++) {
    const length = await reader.varint();
    if (length === undefined) return;
    if (count >= limits.blocks) throw clientFault(`the CAR file has more than the allowed ${limits.blocks} blocks`);
    if (length > Math.max(MAX_SECTION, limits.blockBytes + MAX_CID)) {
      throw new CommandError('invalid section data, length of read beyond allowable maximum');
    }
    if (length > limits.blockBytes + MAX_CID) throw limits.tooBig();
    // Once in pieces, and once as a whole.
    limits.charge.memory.charge(2 * length);
    // Records may be tiny, and thousands of them in one piece of the body.
    const pause = limits.charge.yield(length);
    if (pause !== undefined) await pause;
    const section = await reader.take(length);
    let cid: CID;
    let rest: Uint8Array;
    try {
      [cid, rest] = CID.decodeFirst(section);
    } catch (error) {
      throw new CommandError(`malformed car; block without a CID: ${messageOf(error)}`);
    }
    if (rest.length > limits.blockBytes) throw limits.tooBig();
    yield { cid, bytes: rest };
    limits.charge.memory.give(2 * length);
  }
  await reader.drain();
}
