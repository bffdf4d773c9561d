import { uncharged } from '../../admission/uncharged';
import { CID } from 'multiformats/cid';
import { crc32 } from 'node:zlib';
import { type Multihash } from '../store/block-store';
import { matchesKey } from '../store/hashes';

/** A segment of version 0.2: a CAR file without roots, and the index of its first bytes if there is one. */
export type Segment = {
  readonly size: number;
  /** @returns The bytes from `offset` on, fewer at the end of the file. */
  readonly read: (offset: number, length: number) => Promise<Buffer>;
  readonly index: Buffer | undefined;
};

/** A block, or what cannot be read. `offset` is where the bytes of the block begin. */
export type Found =
  | { readonly key: Multihash; readonly bytes: Buffer; readonly offset: number }
  | { readonly problem: string; readonly isTail: boolean };

const CAR_HEADER_BYTES = 18;
/** Length and CID of the longest record. */
const MAX_HEAD = 8 + 152;
const MAGIC = 'KSINDEX1';

/** The places of an index file and the bytes that it covers; nothing if it is not intact. */
function decodeIndex(index: Buffer | undefined) {
  const places: { key: Multihash; offset: number; length: number }[] = [];
  const nothing = { places, covered: CAR_HEADER_BYTES };
  if (index === undefined || index.length < 24 || index.toString('latin1', 0, 8) !== MAGIC) return nothing;
  if (crc32(index.subarray(0, -4)) !== index.readUInt32LE(index.length - 4)) return nothing;
  for (let at = 20; at < index.length - 4; at += 12) {
    const end = at + 1 + index.readUInt8(at);
    places.push({
      key: index.subarray(at + 1, end),
      offset: index.readUInt32LE(end),
      length: index.readUInt32LE(end + 4),
    });
    at = end;
  }
  return { places, covered: Math.max(CAR_HEADER_BYTES, Number(index.readBigUInt64LE(8))) };
}

/** The blocks of a segment, in the order in which they were written, each compared with its hash. */
export async function* readSegment({ size, read, index }: Segment): AsyncGenerator<Found> {
  const { places, covered } = decodeIndex(index);
  const found = async (key: Multihash, bytes: Buffer, offset: number): Promise<Found> =>
    (await matchesKey(key, bytes, uncharged()))
      ? { key, bytes, offset }
      : { problem: `the block at byte ${offset} is damaged`, isTail: false };
  for (const { key, offset, length } of places) yield await found(key, await read(offset, length), offset);
  for (let at = covered; at < size;) {
    const record = parseHead(await read(at, MAX_HEAD));
    const end = record && at + record.end;
    if (record === undefined || end === undefined || end > size) {
      yield { problem: `what follows byte ${at} of ${size} is no block`, isTail: true };
      return;
    }
    const offset = at + record.dataAt;
    yield await found(record.key, await read(offset, end - offset), offset);
    at = end;
  }
}

/** The head of a record, with offsets from its beginning. */
function parseHead(bytes: Buffer): { key: Multihash; dataAt: number; end: number } | undefined {
  let length = 0;
  let at = 0;
  for (let scale = 1; ; scale *= 128) {
    const byte = bytes[at++];
    if (byte === undefined || at > 7) return undefined;
    length += (byte & 0x7f) * scale;
    if (byte < 0x80) break;
  }
  try {
    const [cid] = CID.decodeFirst(Uint8Array.from(bytes.subarray(at)));
    const dataAt = at + cid.bytes.length;
    return at + length < dataAt ? undefined : { key: cid.multihash.bytes, dataAt, end: at + length };
  } catch {
    return undefined;
  }
}
