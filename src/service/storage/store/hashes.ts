import { createHash } from 'node:crypto';
import { blake2b, blake2s } from '@noble/hashes/blake2.js';
import { blake3 } from '@noble/hashes/blake3.js';
import { keccak_224, keccak_256, keccak_384, keccak_512 } from '@noble/hashes/sha3.js';
import * as Digest from 'multiformats/hashes/digest';
import { CommandError } from '../errors';

type Digester = (bytes: Uint8Array) => Uint8Array;

export const IDENTITY = 0x00;
export const SHA2_256 = 0x12;
/** Longest content of an identity CID; the same limit as Kubo's. */
export const MAX_IDENTITY_BYTES = 128;

const native =
  (algorithm: string): Digester =>
  (bytes) =>
    createHash(algorithm).update(bytes).digest();
const sha256 = native('sha256');

/**
 * The functions that Kubo accepts for new blocks, by multicodec name. Digests under 20 bytes are unsafe and left out.
 */
const FUNCTIONS = new Map<string, { code: number; digest: Digester }>([
  ['identity', { code: IDENTITY, digest: (bytes) => bytes }],
  ['sha1', { code: 0x11, digest: native('sha1') }],
  ['sha2-256', { code: SHA2_256, digest: sha256 }],
  ['sha2-512', { code: 0x13, digest: native('sha512') }],
  // Kubo's other name for the same function.
  ['sha3', { code: 0x14, digest: native('sha3-512') }],
  ['sha3-512', { code: 0x14, digest: native('sha3-512') }],
  ['sha3-384', { code: 0x15, digest: native('sha3-384') }],
  ['sha3-256', { code: 0x16, digest: native('sha3-256') }],
  ['sha3-224', { code: 0x17, digest: native('sha3-224') }],
  ['shake-256', { code: 0x19, digest: (bytes) => createHash('shake256', { outputLength: 64 }).update(bytes).digest() }],
  ['keccak-224', { code: 0x1a, digest: keccak_224 }],
  ['keccak-256', { code: 0x1b, digest: keccak_256 }],
  ['keccak-384', { code: 0x1c, digest: keccak_384 }],
  ['keccak-512', { code: 0x1d, digest: keccak_512 }],
  ['blake3', { code: 0x1e, digest: (bytes) => blake3(bytes) }],
  ['sha2-384', { code: 0x20, digest: native('sha384') }],
  ['dbl-sha2-256', { code: 0x56, digest: (bytes) => sha256(sha256(bytes)) }],
]);
for (let bytes = 20; bytes <= 64; bytes++) {
  FUNCTIONS.set(`blake2b-${bytes * 8}`, {
    code: 0xb200 + bytes,
    digest: (input) => blake2b(input, { dkLen: bytes }),
  });
}
for (let bytes = 20; bytes <= 32; bytes++) {
  FUNCTIONS.set(`blake2s-${bytes * 8}`, {
    code: 0xb240 + bytes,
    digest: (input) => blake2s(input, { dkLen: bytes }),
  });
}
const BY_CODE = new Map([...FUNCTIONS.values()].map((entry) => [entry.code, entry]));

/** The multicodec code of a hash function, `undefined` for an unknown name. */
export const hashCode = (name: string): number | undefined => FUNCTIONS.get(name)?.code;

/** @throws Error for an unknown hash function. */
export function digestOf(code: number, bytes: Uint8Array): Digest.Digest<number, number> {
  const entry = BY_CODE.get(code);
  if (entry === undefined) throw new Error(`unknown hash function 0x${code.toString(16)}`);
  return Digest.create(code, entry.digest(bytes));
}

/** Shortest digest that still identifies its content; the same limit as Kubo's. */
const MIN_DIGEST_BYTES = 20;

/** @throws CommandError, with Kubo's message, if a digest is too short to be safe or content is too long for a CID. */
export function mustBeSafe({ code, digest }: { readonly code: number; readonly digest: Uint8Array }): void {
  if (code !== IDENTITY && digest.length < MIN_DIGEST_BYTES) {
    throw new CommandError(`hashes must be at least ${MIN_DIGEST_BYTES} bytes long`);
  }
  if (code === IDENTITY && digest.length > MAX_IDENTITY_BYTES) {
    throw new CommandError(`hashes must be at most ${MAX_IDENTITY_BYTES} bytes long`);
  }
}

/** Whether `digest` is the digest of `bytes`; a truncated digest is compared up to its length. */
export function matches(digest: { readonly code: number; readonly digest: Uint8Array }, bytes: Uint8Array): boolean {
  const actual = digestOf(digest.code, bytes).digest;
  if (digest.code === IDENTITY && actual.length !== digest.digest.length) return false;
  return digest.digest.length <= actual.length && digest.digest.every((byte, index) => byte === actual[index]);
}

/** Whether a multihash is that of `bytes`; false for unknown hash functions. */
export function matchesKey(key: Uint8Array, bytes: Uint8Array): boolean {
  try {
    return matches(Digest.decode(key), bytes);
  } catch {
    return false;
  }
}
