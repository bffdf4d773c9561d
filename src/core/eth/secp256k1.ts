import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { getPublicKey, hashes, Point, recoverPublicKey, sign, utils } from '@noble/secp256k1';

import { InternalError } from '../errors';

/** The library needs HMAC for RFC 6979 nonces. It hashes nothing else: digests are computed elsewhere. */
hashes.hmacSha256 = (key, message) => hmac(sha256, key, message) as Uint8Array<ArrayBuffer>;

/** An ECDSA signature over secp256k1: `r` and `s` are always 32 bytes, `s` is low (EIP-2). */
export type Signature = { readonly r: Uint8Array; readonly s: Uint8Array; readonly yParity: 0 | 1 };

/** @returns Whether these 32 bytes are a private key: 0 < key < n (SEC 2, 2.4.1). */
export const isPrivateKey = (bytes: Uint8Array): boolean => utils.isValidSecretKey(bytes);

/** @returns The public key, 64 bytes: x, y. */
export const publicKeyOf = (privateKey: Uint8Array): Uint8Array => getPublicKey(privateKey, false).subarray(1);

/**
 * Signs a 32-byte digest. The nonce is deterministic (RFC 6979, SHA-256, no extra entropy), so the same key and digest
 * always give the same signature.
 *
 * @throws {InternalError} If `r` does not fit a recovery bit, which happens once in 2^127 signatures.
 */
export function signDigest(digest: Uint8Array, privateKey: Uint8Array): Signature {
  const recovered = sign(digest, privateKey, { prehash: false, lowS: true, extraEntropy: false, format: 'recovered' });
  const yParity = recovered[0];
  if (yParity !== 0 && yParity !== 1) throw new InternalError('The signature has no recovery bit. Nothing was signed.');
  return { yParity, r: recovered.slice(1, 33), s: recovered.slice(33, 65) };
}

/**
 * Recovers the public key that made a signature (SEC 1, 4.1.6).
 *
 * @returns 64 bytes: x, y.
 */
export function recoverPublicKeyOf(digest: Uint8Array, { r, s, yParity }: Signature): Uint8Array {
  const signature = new Uint8Array(65);
  signature[0] = yParity;
  signature.set(r, 1);
  signature.set(s, 33);
  return Point.fromBytes(recoverPublicKey(signature, digest, { prehash: false }))
    .toBytes(false)
    .subarray(1);
}

/** @returns The 65-byte encoding r, s, v of a message signature, with v 27 or 28 (EIP-191, `eth_sign`). */
export function signatureToBytes({ r, s, yParity }: Signature): Uint8Array {
  const bytes = new Uint8Array(65);
  bytes.set(r);
  bytes.set(s, 32);
  bytes[64] = 27 + yParity;
  return bytes;
}
