import { type FileHandle, open, readFile, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { CID } from 'multiformats/cid';
import { matches } from '../hashes';
import { type Location } from './block-index';
import { crcOf } from './crc';
import { type Multihash } from './store';
import { decodeVarint, encodeVarint } from './varint';

/** A sweep rewrites a segment if at least this share of it is dead. */
export const COMPACT_ABOVE = 0.2;

/**
 * A segment is a CARv1 file without roots: this header, then records of `varint(length) CID bytes`.
 *
 * @see https://ipld.io/specs/transport/car/carv1/
 */
export const SEGMENT_HEADER = Uint8Array.from([
  0x11, 0xa2, 0x65, 0x72, 0x6f, 0x6f, 0x74, 0x73, 0x80, 0x67, 0x76, 0x65, 0x72, 0x73, 0x69, 0x6f, 0x6e, 0x01,
]);

const WINDOW = 4 << 20;
const MAX_CID_BYTES = 128 + 24;

/** The CAR framing before a block of `length` bytes. */
export function recordHead(cid: CID, length: number): Uint8Array {
  const size = encodeVarint(cid.bytes.length + length);
  const head = new Uint8Array(size.length + cid.bytes.length);
  head.set(size);
  head.set(cid.bytes, size.length);
  return head;
}

export type SegmentRecord = { readonly cid: CID; readonly offset: number; readonly data: Uint8Array };

/** How a scan ended: `end` is the offset after the last complete record, `torn` says why it stopped before `size`. */
export type ScanEnd = { readonly end: number; readonly torn?: string };

/**
 * Reads the complete records of a segment in order, without checking their hashes.
 *
 * @param onRecord is called with a view that is valid only during the call.
 */
export async function scanSegment(
  handle: FileHandle,
  from: number,
  size: number,
  onRecord: (record: SegmentRecord) => Promise<void> | void,
): Promise<ScanEnd> {
  let window = Buffer.allocUnsafe(WINDOW);
  let base = from;
  while (base < size) {
    const { bytesRead } = await handle.read(window, 0, Math.min(window.length, size - base), base);
    const view = window.subarray(0, bytesRead);
    let at = 0;
    let needed = 0;
    while (at < view.length) {
      const record = readRecord(view, at, size - base);
      if (typeof record === 'string') return { end: base + at, torn: record };
      if (record.end > view.length) {
        needed = record.end - at;
        break;
      }
      await onRecord({ cid: record.cid, offset: base + record.dataAt, data: view.subarray(record.dataAt, record.end) });
      at = record.end;
    }
    if (at === 0 && needed <= window.length) return { end: base, torn: 'the file is shorter than its size' };
    if (needed > window.length) window = Buffer.allocUnsafe(needed);
    base += at;
  }
  return { end: base };
}

/** The record at `at`, or why there is none. `limit` is the end of the file, in the coordinates of `view`. */
function readRecord(view: Uint8Array, at: number, limit: number) {
  try {
    const head = decodeVarint(view, at);
    if (head === undefined) {
      return limit > view.length ? { cid: NO_CID, dataAt: at, end: view.length + 1 } : 'a record length is truncated';
    }
    const end = head.end + head.value;
    if (head.value === 0) return 'a record is empty';
    if (end > limit) return 'the last record is truncated';
    if (head.end + MAX_CID_BYTES > view.length && end > view.length) return { cid: NO_CID, dataAt: at, end };
    // A copy, because the CID outlives the window.
    const [cid] = CID.decodeFirst(Uint8Array.from(view.subarray(head.end, Math.min(end, head.end + MAX_CID_BYTES))));
    return { cid, dataAt: head.end + cid.bytes.length, end };
  } catch {
    return 'a record does not start with a CID';
  }
}

/** A placeholder for the CID of a record that is not completely in view. */
const NO_CID = CID.parse('bafkqaaa');

export type IndexEntry = { readonly key: Multihash; readonly location: Location };

/** The location of a block in its segment, from the segment's index. */
export type IndexRecord = { readonly key: Multihash } & Omit<Location, 'segment'>;

const MAGIC = Buffer.from('KSINDEX1');
const ENTRY_TAIL = 12;

/** The records of a growing index, in stored form, which takes a fifth of the memory of objects. */
export class IndexLog {
  #bytes = Buffer.allocUnsafe(4096);
  #end = 0;
  #count = 0;

  push({ key, offset, length, crc }: IndexRecord): void {
    const needed = this.#end + 1 + key.length + ENTRY_TAIL;
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length));
      this.#bytes.copy(larger, 0, 0, this.#end);
      this.#bytes = larger;
    }
    const out = this.#bytes;
    let at = out.writeUInt8(key.length, this.#end);
    out.set(key, at);
    at = out.writeUInt32LE(offset, at + key.length);
    at = out.writeUInt32LE(length, at);
    this.#end = out.writeUInt32LE(crc, at);
    this.#count++;
  }

  /** The index of the first `covered` bytes of the segment. */
  encode(covered: number): Buffer {
    const head = Buffer.alloc(MAGIC.length + 12);
    MAGIC.copy(head);
    head.writeBigUInt64LE(BigInt(covered), MAGIC.length);
    head.writeUInt32LE(this.#count, MAGIC.length + 8);
    const body = this.#bytes.subarray(0, this.#end);
    const sum = Buffer.alloc(4);
    sum.writeUInt32LE(crcOf([head, body]));
    return Buffer.concat([head, body, sum]);
  }
}

/** Decodes the output of {@link IndexLog.encode}; `undefined` if it is not intact. */
export function decodeIndex(bytes: Buffer): { covered: number; records: IndexRecord[] } | undefined {
  if (bytes.length < MAGIC.length + 16 || !bytes.subarray(0, MAGIC.length).equals(MAGIC)) return undefined;
  if (crc32(bytes.subarray(0, -4)) !== bytes.readUInt32LE(bytes.length - 4)) return undefined;
  const covered = Number(bytes.readBigUInt64LE(MAGIC.length));
  const count = bytes.readUInt32LE(MAGIC.length + 8);
  const records: IndexRecord[] = [];
  let at = MAGIC.length + 12;
  for (let index = 0; index < count; index++) {
    const keyLength = bytes.readUInt8(at);
    const key = bytes.subarray(at + 1, at + 1 + keyLength);
    at += 1 + keyLength;
    records.push({
      key,
      offset: bytes.readUInt32LE(at),
      length: bytes.readUInt32LE(at + 4),
      crc: bytes.readUInt32LE(at + 8),
    });
    at += ENTRY_TAIL;
  }
  return { covered, records };
}

/** The entries of an index file; `undefined` if it is absent or not intact (the segment is scanned instead). */
export async function readIndexFile(
  path: string,
  segment: number,
): Promise<{ covered: number; entries: IndexEntry[] } | undefined> {
  const bytes = await readFile(path).catch(() => undefined);
  const index = bytes && decodeIndex(bytes);
  return (
    index && {
      covered: index.covered,
      entries: index.records.map(({ key, ...location }) => ({ key, location: { segment, ...location } })),
    }
  );
}

/** Writes `bytes` to `path` so that after a crash either the old or the new content is there, complete. */
export async function replaceFile(path: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${path}.new`;
  const handle = await open(temporary, 'w', 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.datasync();
  } catch (error) {
    // On a full disk, a partial file would take space that others need.
    await unlink(temporary);
    throw error;
  } finally {
    await handle.close();
  }
  await rename(temporary, path);
  await syncDirectory(dirname(path));
}

/** Makes the names in a directory durable. */
export async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Whether the record matches its CID; false also for unknown hash functions. */
export function recordIntact(record: SegmentRecord): boolean {
  try {
    return matches(record.cid.multihash, record.data);
  } catch {
    return false;
  }
}
