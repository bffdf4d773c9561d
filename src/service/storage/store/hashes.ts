import { createHash } from 'node:crypto';
import { blake2b, blake2s } from '@noble/hashes/blake2.js';
import { blake3 } from '@noble/hashes/blake3.js';
import { keccak_224, keccak_256, keccak_384, keccak_512 } from '@noble/hashes/sha3.js';
import * as Digest from 'multiformats/hashes/digest';
import { type Charge } from '../../admission/charge';
import { CommandError } from '../errors';

/** A hash that is fed in pieces. */
type Hasher = { readonly update: (piece: Uint8Array) => unknown; readonly digest: () => Uint8Array };
type HashFunction = { readonly code: number; readonly begin: () => Hasher; readonly isNative: boolean };

export const IDENTITY = 0x00;
export const SHA2_256 = 0x12;
/** Longest content of an identity CID; the same limit as Kubo's. */
export const MAX_IDENTITY_BYTES = 128;

const native = (code: number, algorithm: string, options: { outputLength?: number } = {}): HashFunction => ({
  code,
  begin: () => createHash(algorithm, options),
  isNative: true,
});
const inJavaScript = (code: number, begin: () => Hasher): HashFunction => ({ code, begin, isNative: false });

/** Content as its own digest. */
function identity(): Hasher {
  const pieces: Uint8Array[] = [];
  return { update: (piece) => pieces.push(piece), digest: () => Buffer.concat(pieces) };
}

function doubleSha256(): Hasher {
  const inner = createHash('sha256');
  return {
    update: (piece) => inner.update(piece),
    digest: () => createHash('sha256').update(inner.digest()).digest(),
  };
}

/**
 * The functions that Kubo accepts for new blocks, by multicodec name. Digests under 20 bytes are unsafe and left out.
 */
const FUNCTIONS = new Map<string, HashFunction>([
  ['identity', { code: IDENTITY, begin: identity, isNative: true }],
  ['sha1', native(0x11, 'sha1')],
  ['sha2-256', native(SHA2_256, 'sha256')],
  ['sha2-512', native(0x13, 'sha512')],
  // Kubo's other name for the same function.
  ['sha3', native(0x14, 'sha3-512')],
  ['sha3-512', native(0x14, 'sha3-512')],
  ['sha3-384', native(0x15, 'sha3-384')],
  ['sha3-256', native(0x16, 'sha3-256')],
  ['sha3-224', native(0x17, 'sha3-224')],
  ['shake-256', native(0x19, 'shake256', { outputLength: 64 })],
  ['keccak-224', inJavaScript(0x1a, () => keccak_224.create())],
  ['keccak-256', inJavaScript(0x1b, () => keccak_256.create())],
  ['keccak-384', inJavaScript(0x1c, () => keccak_384.create())],
  ['keccak-512', inJavaScript(0x1d, () => keccak_512.create())],
  ['blake3', inJavaScript(0x1e, () => blake3.create())],
  ['sha2-384', native(0x20, 'sha384')],
  ['dbl-sha2-256', { code: 0x56, begin: doubleSha256, isNative: true }],
]);
for (let bytes = 20; bytes <= 64; bytes++)
  FUNCTIONS.set(
    `blake2b-${bytes * 8}`,
    inJavaScript(0xb200 + bytes, () => blake2b.create({ dkLen: bytes })),
  );
for (let bytes = 20; bytes <= 32; bytes++)
  FUNCTIONS.set(
    `blake2s-${bytes * 8}`,
    inJavaScript(0xb240 + bytes, () => blake2s.create({ dkLen: bytes })),
  );

const BY_CODE = new Map([...FUNCTIONS.values()].map((entry) => [entry.code, entry]));

/** The multicodec code of a hash function, `undefined` for an unknown name. */
export const hashCode = (name: string): number | undefined => FUNCTIONS.get(name)?.code;

/** Bytes that are hashed in one step: in JavaScript, some milliseconds. */
const PIECE_BYTES = 64 << 10;

/**
 * Hashes a block, piece by piece.
 *
 * @param charge - Lets others have their turn between two pieces.
 * @throws Error for an unknown hash function.
 */
export async function digestOf(
  code: number,
  bytes: Uint8Array,
  charge: Charge,
): Promise<Digest.Digest<number, number>> {
  const entry = BY_CODE.get(code);
  if (entry === undefined) throw new Error(`unknown hash function 0x${code.toString(16)}`);
  const hasher = entry.begin();
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    // A native function takes a fraction of a millisecond, so it yields when its slice is over.
    const turn = at === 0 ? undefined : charge.yield(entry.isNative ? 0 : PIECE_BYTES);
    if (turn !== undefined) await turn;
    hasher.update(bytes.subarray(at, at + PIECE_BYTES));
  }
  return Digest.create(code, hasher.digest());
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
export async function matches(
  digest: { readonly code: number; readonly digest: Uint8Array },
  bytes: Uint8Array,
  charge: Charge,
): Promise<boolean> {
  const { digest: actual } = await digestOf(digest.code, bytes, charge);
  if (digest.code === IDENTITY && actual.length !== digest.digest.length) return false;
  return digest.digest.length <= actual.length && digest.digest.every((byte, index) => byte === actual[index]);
}

/** Whether a multihash is that of `bytes`; false for unknown hash functions. */
export async function matchesKey(key: Uint8Array, bytes: Uint8Array, charge: Charge): Promise<boolean> {
  const digest = Digest.decode(key);
  return BY_CODE.has(digest.code) && matches(digest, bytes, charge);
}
