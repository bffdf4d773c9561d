import { uncompress } from 'snappyjs';

import { FormatError } from './errors';

const STREAM_IDENTIFIER = 0xff;
const COMPRESSED = 0x00;
const PLAIN = 0x01;
const FIRST_SKIPPABLE = 0x80;
const IDENTIFIER = Buffer.from('sNaPpY');

/** A chunk of the framing format never holds more than this, uncompressed. */
const MAX_CHUNK = 65_536;

const CRC32C = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  return crc;
});

/** CRC-32C as the framing format masks it (framing_format.txt, section 3). */
export function maskedCrc32c(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (CRC32C[(crc ^ byte) & 0xff] as number) ^ (crc >>> 8);
  crc ^= 0xffffffff;
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
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
    if (at === 0 && !(type === STREAM_IDENTIFIER && IDENTIFIER.equals(bytes.subarray(start, end))))
      throw new FormatError('no snappy stream identifier');
    if (type === COMPRESSED || type === PLAIN) {
      if (end - start < 4) throw new FormatError('a snappy frame that is cut off');
      const expected = Buffer.from(bytes.buffer, bytes.byteOffset + start, 4).readUInt32LE();
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
