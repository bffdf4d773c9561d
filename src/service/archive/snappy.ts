import { uncompress } from 'snappyjs';

import { sameBytes } from './bytes';
import { FormatError } from './errors';

const STREAM_IDENTIFIER = 0xff;
const COMPRESSED = 0x00;
const PLAIN = 0x01;
const FIRST_SKIPPABLE = 0x80;
const IDENTIFIER = Buffer.from('sNaPpY');

/** A chunk of the framing format never holds more than this, uncompressed. */
const MAX_CHUNK = 65_536;

/** What a byte adds to a CRC-32C. Four tables of 256: for a byte with no, one, two and three bytes after it. */
const CRC32C = new Int32Array(4 * 256);
for (let byte = 0; byte < 256; byte++) {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  CRC32C[byte] = crc;
}
for (let at = 256; at < CRC32C.length; at++) {
  const before = CRC32C[at - 256] as number;
  CRC32C[at] = (CRC32C[before & 0xff] as number) ^ (before >>> 8);
}

/** CRC-32C as the framing format masks it (framing_format.txt, section 3). Four bytes at a time ("slicing by 4"). */
export function maskedCrc32c(bytes: Uint8Array): number {
  let crc = -1;
  let at = 0;
  for (const end = bytes.length - 3; at < end; at += 4) {
    crc ^=
      (bytes[at] as number) |
      ((bytes[at + 1] as number) << 8) |
      ((bytes[at + 2] as number) << 16) |
      ((bytes[at + 3] as number) << 24);
    crc =
      (CRC32C[768 | (crc & 0xff)] as number) ^
      (CRC32C[512 | ((crc >>> 8) & 0xff)] as number) ^
      (CRC32C[256 | ((crc >>> 16) & 0xff)] as number) ^
      (CRC32C[crc >>> 24] as number);
  }
  for (; at < bytes.length; at++) crc = (CRC32C[(crc ^ (bytes[at] as number)) & 0xff] as number) ^ (crc >>> 8);
  crc ^= -1;
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}

const isIdentifier = (bytes: Uint8Array, start: number, end: number) =>
  end - start === IDENTIFIER.length && sameBytes(bytes, start, IDENTIFIER, 0, IDENTIFIER.length);

/** Four bytes as an unsigned number. */
function littleEndian(bytes: Uint8Array, at: number): number {
  const [a, b, c, d] = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]] as [number, number, number, number];
  return (a | (b << 8) | (c << 16) | (d << 24)) >>> 0;
}

function unpack(type: number, data: Uint8Array): Uint8Array {
  if (type === PLAIN) return data;
  try {
    return uncompress(data, MAX_CHUNK);
  } catch (error) {
    throw new FormatError('snappy data that cannot be decompressed', { cause: error });
  }
}

/**
 * Decompresses the snappy framing format.
 *
 * @param bytes - The whole stream, beginning with its stream identifier.
 * @param maxLength - Refuse to produce more bytes than this.
 * @returns The uncompressed bytes, each chunk checked against its checksum.
 * @throws {FormatError} If a chunk is cut off, of an unknown kind, or does not fit its checksum.
 */
export function unframe(bytes: Uint8Array, maxLength: number): Uint8Array {
  const chunks: Uint8Array[] = [];
  let length = 0;
  let at = 0;
  while (at < bytes.length) {
    const type = bytes[at] as number;
    if (at + 4 > bytes.length) throw new FormatError('a snappy frame that is cut off');
    const start = at + 4;
    const end =
      start + ((bytes[at + 1] as number) | ((bytes[at + 2] as number) << 8) | ((bytes[at + 3] as number) << 16));
    if (end > bytes.length) throw new FormatError('a snappy frame that is cut off');
    if (at === 0 && !(type === STREAM_IDENTIFIER && isIdentifier(bytes, start, end)))
      throw new FormatError('no snappy stream identifier');
    if (type === COMPRESSED || type === PLAIN) {
      if (end - start < 4) throw new FormatError('a snappy frame that is cut off');
      const expected = littleEndian(bytes, start);
      const chunk = unpack(type, bytes.subarray(start + 4, end));
      if (maskedCrc32c(chunk) !== expected) throw new FormatError('a snappy frame that does not fit its checksum');
      length += chunk.length;
      if (length > maxLength) throw new FormatError(`more than ${maxLength} bytes uncompressed`);
      chunks.push(chunk);
    } else if (type < FIRST_SKIPPABLE) {
      throw new FormatError(`a snappy frame of unknown kind 0x${type.toString(16)}`);
    }
    at = end;
  }
  if (chunks.length === 1) return chunks[0] as Uint8Array;
  return Buffer.concat(chunks);
}
