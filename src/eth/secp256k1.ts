import { etc, getPublicKey, hashes, Point, recoverPublicKey, sign, utils } from '@noble/secp256k1';

import { InternalError } from '../errors';
import { type Hex } from './bytes';
import { hmacSha256 } from './sha256';

/** RFC 6979 takes it; nothing that is signed here is hashed by the library. */
hashes.hmacSha256 = hmacSha256;

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

/** The character code of the digit 1. */
const ONE = 49;

/** @returns Whether a signature of a digest is one of a certain key, parity included. */
export type SignatureCheck = (digest: Uint8Array, signature: Signature) => boolean;

/**
 * Prepares a public key for many checks: what recovery doubles anew each time is kept, so that a check takes half as
 * long as recovering the key.
 *
 * A check is the equation of SEC 1, 4.1.4, with the whole point compared in place of its x modulo n. So it holds
 * exactly where {@link recoverPublicKeyOf} gives this key.
 *
 * @param publicKey - 64 bytes: x, y.
 */
export function checkerOf(publicKey: Uint8Array): SignatureCheck {
  const { n: order } = Point.CURVE();
  /** The key times 2^i, at i. A signed-digit form of a scalar has one digit more than the scalar. */
  const doubled = [Point.fromBytes(Uint8Array.of(4, ...publicKey))];
  for (let last = doubled[0]; last !== undefined && doubled.length < 257; doubled.push(last)) last = last.double();
  /** The key times a number, from its binary digits. */
  const times = (number: bigint): Point => {
    const digits = number.toString(2);
    let sum = Point.ZERO;
    doubled.forEach((point, bit) => {
      if (bit < digits.length && digits.charCodeAt(digits.length - 1 - bit) === ONE) sum = sum.add(point);
    });
    return sum;
  };
  return (digest, { r, s, yParity }) => {
    const x = etc.bytesToNumberBE(r);
    const inverse = etc.invert(etc.bytesToNumberBE(s), order);
    const ofBase = etc.mod(etc.bytesToNumberBE(digest) * inverse, order);
    const ofKey = etc.mod(x * inverse, order);
    // Non-adjacent form: a third of the digits is not zero, in place of half of the bits.
    const triple = 3n * ofKey;
    const [added, taken] = [times((triple & ~ofKey) >> 1n), times((ofKey & ~triple) >> 1n)];
    const made = Point.BASE.multiplyUnsafe(ofBase).add(added).subtract(taken).toAffine();
    return made.x === x && Number(made.y & 1n) === yParity;
  };
}

/** @returns The 65 bytes r, s, v that message signatures are written as, with v 27 or 28 (EIP-191, `eth_sign`). */
export function signatureToBytes({ r, s, yParity }: Signature): Uint8Array {
  const bytes = new Uint8Array(65);
  bytes.set(r);
  bytes.set(s, 32);
  bytes[64] = 27 + yParity;
  return bytes;
}
