import { bytesToHex } from '@noble/hashes/utils.js';

/** @returns A random UUID (RFC 9562, version 4). `crypto.randomUUID` exists only in secure contexts. */
export function uuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes.set([((bytes[6] ?? 0) & 0x0f) | 0x40], 6);
  bytes.set([((bytes[8] ?? 0) & 0x3f) | 0x80], 8);
  return bytesToHex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/u, '$1-$2-$3-$4-');
}
