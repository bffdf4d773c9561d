import { crc32 } from 'node:zlib';

/**
 * CRC-32 of consecutive pieces.
 *
 * Empty pieces are skipped: zlib returns 0 for one, whatever came before it.
 */
export const crcOf = (parts: readonly Uint8Array[]): number =>
  parts.reduce((crc, part) => (part.length === 0 ? crc : crc32(part, crc)), 0);
