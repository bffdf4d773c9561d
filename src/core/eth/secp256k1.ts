import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { getPublicKey, hashes, Point, recoverPublicKey, sign, utils } from '@noble/secp256k1';

import { InternalError } from '../errors';
import { type Hex } from './bytes';

/** For the nonces of RFC 6979: nothing that is signed here is hashed by the library. */
hashes.hmacSha256 = (key, message) => hmac(sha256, key, message);

/** The curve's base point G (SEC 2, 2.4.1), 64 bytes: x, y. */
export const BASE_POINT: Hex = `0x${Point.BASE.toHex(false).slice(2)}`;

/** An ECDSA signature over secp256k1: `r` and `s` are always 32 bytes, `s` is low (EIP-2). */
export type Signature = { readonly r: Uint8Array; readonly s: Uint8Array; readonly yParity: 0 | 1 };

/** @returns Whether these 32 bytes are a private key: 0 < key < n (SEC 2, 2.4.1). */
export const isPrivateKey = (bytes: Uint8Array): boolean => utils.isValidSecretKey(bytes);

/** @returns The public key, 64 bytes: x, y. */
export const publicKeyOf = (privateKey: Uint8Array): Uint8Array => getPublicKey(privateKey, false).subarray(1);

/**
 * Signs 32 bytes. The nonce is that of RFC 6979 (SHA-256, no extra entropy): the same key and digest
 * always give the same signature.
 *
 * @throws {InternalError} In the one case in 2^127 where `r` does not fit a recovery bit.
 */
export function signDigest(digest: Uint8Array, privateKey: Uint8Array): Signature {
  const recovered = sign(digest, privateKey, { prehash: false, lowS: true, extraEntropy: false, format: 'recovered' });
  const yParity = recovered[0];
  if (yParity !== 0 && yParity !== 1) throw new InternalError('The signature has no recovery bit. Nothing was signed.');
  return { yParity, r: recovered.slice(1, 33), s: recovered.slice(33, 65) };
}

/**
 * The public key that made a signature (SEC 1, 4.1.6).
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

/** @returns The 65 bytes r, s, v that message signatures are written as, with v 27 or 28 (EIP-191, `eth_sign`). */
export function signatureToBytes({ r, s, yParity }: Signature): Uint8Array {
  const bytes = new Uint8Array(65);
  bytes.set(r);
  bytes.set(s, 32);
  bytes[64] = 27 + yParity;
  return bytes;
}
