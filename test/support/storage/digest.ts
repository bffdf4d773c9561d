import { createHash } from 'node:crypto';
import { blake2b } from '@noble/hashes/blake2.js';
import * as Digest from 'multiformats/hashes/digest';

const ALGORITHMS: Readonly<Record<number, string>> = { 0x11: 'sha1', 0x12: 'sha256', 0x13: 'sha512' };
const BLAKE2B_256 = 0xb220;

/** The multihash of bytes; code 0 is the identity. */
export function digestOf(code: number, bytes: Uint8Array): Digest.Digest<number, number> {
  if (code === 0) return Digest.create(code, bytes);
  if (code === BLAKE2B_256) return Digest.create(code, blake2b(bytes, { dkLen: 32 }));
  const algorithm = ALGORITHMS[code];
  if (algorithm === undefined) throw new Error(`no hash function ${code} in tests`);
  return Digest.create(code, createHash(algorithm).update(bytes).digest());
}
