import { sameBytes } from './bytes';
import { FormatError } from './errors';

const STREAM_IDENTIFIER = 0xff;
const COMPRESSED = 0x00;
const PLAIN = 0x01;
const FIRST_SKIPPABLE = 0x80;
const IDENTIFIER = Buffer.from('sNaPpY');

/** Maximum uncompressed size of a chunk in the framing format. */
const MAX_CHUNK = 65_536;

/** The low two bits of a snappy element's first byte; the fourth kind is a copy with a four-byte offset. */
const LITERAL = 0;
const COPY_1 = 1;
const COPY_2 = 2;

/** CRC-32C lookup tables: eight tables of 256, for a byte followed by 0 to 7 more bytes. */
const CRC32C = new Int32Array(8 * 256);
for (let byte = 0; byte < 256; byte++) {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  CRC32C[byte] = crc;
}
for (let at = 256; at < CRC32C.length; at++) {
  const before = CRC32C[at - 256] as number;
  CRC32C[at] = (CRC32C[before & 0xff] as number) ^ (before >>> 8);
}

/** CRC-32C as masked by the framing format (framing_format.txt, section 3). Eight bytes at a time ("slicing by 8"). */
function maskedCrc32c(view: DataView, from: number, to: number): number {
  let crc = -1;
  let at = from;
  for (const last = to - 8; at <= last; at += 8) {
    const low = crc ^ view.getInt32(at, true);
    const high = view.getInt32(at + 4, true);
    crc =
      (CRC32C[1792 | (low & 0xff)] as number) ^
      (CRC32C[1536 | ((low >>> 8) & 0xff)] as number) ^
      (CRC32C[1280 | ((low >>> 16) & 0xff)] as number) ^
      (CRC32C[1024 | (low >>> 24)] as number) ^
      (CRC32C[768 | (high & 0xff)] as number) ^
      (CRC32C[512 | ((high >>> 8) & 0xff)] as number) ^
      (CRC32C[256 | ((high >>> 16) & 0xff)] as number) ^
      (CRC32C[high >>> 24] as number);
  }
  for (; at < to; at++) crc = (CRC32C[(crc ^ view.getUint8(at)) & 0xff] as number) ^ (crc >>> 8);
  crc ^= -1;
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}

const isIdentifier = (bytes: Uint8Array, start: number, end: number) =>
  end - start === IDENTIFIER.length && sameBytes(bytes, start, IDENTIFIER, 0, IDENTIFIER.length);

/** `size` bytes, at most four, as an unsigned number. */
function littleEndian(bytes: Uint8Array, at: number, size: number): number {
  let value = 0;
  for (let i = size - 1; i >= 0; i--) value = (value << 8) | (bytes[at + i] as number);
  return value >>> 0;
}

const broken = () => new FormatError('snappy data cannot be decompressed');

/**
 * Decompresses the elements of a snappy block (format_description.txt, section 2), which must produce exactly `roomTo -
 * roomFrom` bytes.
 */
function decompress(
  bytes: Uint8Array,
  from: number,
  to: number,
  room: Uint8Array,
  roomFrom: number,
  roomTo: number,
): void {
  let at = from;
  let out = roomFrom;
  while (at < to) {
    const tag = bytes[at++] as number;
    const kind = tag & 3;
    let length = (tag >>> 2) + 1;
    let offset = 0;
    if (kind === LITERAL) {
      const size = length - 60;
      if (size > 0) {
        if (at + size > to) throw broken();
        length = littleEndian(bytes, at, size) + 1;
        at += size;
      }
      if (at + length > to) throw broken();
    } else {
      const size = kind === COPY_1 ? 1 : kind === COPY_2 ? 2 : 4;
      if (at + size > to) throw broken();
      offset = littleEndian(bytes, at, size);
      at += size;
      if (kind === COPY_1) {
        offset |= (tag >>> 5) << 8;
        length = ((tag >>> 2) & 7) + 4;
      }
      if (offset === 0 || offset > out - roomFrom) throw broken();
    }
    const end = out + length;
    if (end > roomTo) throw broken();
    if (kind === LITERAL) while (out < end) room[out++] = bytes[at++] as number;
    else for (; out < end; out++) room[out] = room[out - offset] as number;
  }
  if (out !== roomTo) throw broken();
}

/** Decompresses streams into a reused buffer, which grows as needed. */
export class Unframer {
  #room = new Uint8Array(MAX_CHUNK);
  #view = new DataView(this.#room.buffer);

  /**
   * Decompresses the snappy framing format.
   *
   * @param bytes - Hold the whole stream, beginning with its stream identifier.
   * @param from - Where it begins.
   * @param to - Where it ends.
   * @param maxLength - Fail rather than produce more bytes than this.
   * @returns The uncompressed bytes, with every chunk's checksum verified; valid only until the next stream.
   * @throws {FormatError} If a chunk is truncated, of an unknown type, or does not match its checksum.
   */
  unframe(bytes: Uint8Array, from: number, to: number, maxLength: number): Uint8Array {
    let length = 0;
    let at = from;
    while (at < to) {
      const type = bytes[at] as number;
      if (at + 4 > to) throw new FormatError('truncated snappy frame');
      const start = at + 4;
      const end = start + littleEndian(bytes, at + 1, 3);
      if (end > to) throw new FormatError('truncated snappy frame');
      if (at === from && !(type === STREAM_IDENTIFIER && isIdentifier(bytes, start, end)))
        throw new FormatError('no snappy stream identifier');
      if (type === COMPRESSED || type === PLAIN) {
        if (end - start < 4) throw new FormatError('truncated snappy frame');
        const after = this.#chunk(type, bytes, start + 4, end, length, maxLength);
        if (maskedCrc32c(this.#view, length, after) !== littleEndian(bytes, start, 4))
          throw new FormatError('snappy frame with a wrong checksum');
        length = after;
      } else if (type < FIRST_SKIPPABLE) {
        throw new FormatError(`snappy frame of unknown type 0x${type.toString(16)}`);
      }
      at = end;
    }
    return this.#room.subarray(0, length);
  }

  /** Writes a chunk's bytes at `length`; returns where they end. */
  #chunk(type: number, bytes: Uint8Array, from: number, to: number, length: number, maxLength: number): number {
    let at = from;
    let size = to - from;
    if (type === COMPRESSED) {
      size = 0;
      let more = true;
      for (let shift = 0; more; shift += 7) {
        if (at === to || shift > 28) throw broken();
        const byte = bytes[at++] as number;
        size += (byte & 0x7f) * 2 ** shift;
        more = byte >= 0x80;
      }
    }
    if (size > MAX_CHUNK) throw new FormatError('snappy frame of more than 64 KiB');
    const after = length + size;
    if (after > maxLength) throw new FormatError(`more than ${maxLength} bytes uncompressed`);
    if (after > this.#room.length) this.#grow(Math.min(2 * after, maxLength));
    if (type === PLAIN) this.#room.set(bytes.subarray(from, to), length);
    else decompress(bytes, at, to, this.#room, length, after);
    return after;
  }

  #grow(size: number): void {
    const room = new Uint8Array(size);
    room.set(this.#room);
    this.#room = room;
    this.#view = new DataView(room.buffer);
  }
}
