import { type Authorization, type SignedAuthorization } from '../eth/authorization';
import { type Hex } from '../eth/bytes';

/**
 * The base point G of secp256k1 (SEC 2, 2.4.1), 64 bytes: x, y. Written out, so that what only needs a point of the
 * curve does not need code that signs.
 */
export const BASE_POINT: Hex =
  '0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8';

/**
 * A 65-byte signature that passes every check except the final comparison. `r` is the x coordinate of a curve point and
 * `s` its low y coordinate, so a public key can be recovered. Like a real signature it has no zero bytes and no unusual
 * repetition, so its call data costs the same, even on rollups that compress it.
 */
export const DUMMY_SIGNATURE: Hex = `${BASE_POINT}1b`;

/** An authorization (EIP-7702) with a signature of the right form, for estimates. Its signer is nobody's account. */
export const dummyAuthorization = (authorization: Authorization): SignedAuthorization => ({
  ...authorization,
  yParity: 0,
  r: BigInt(BASE_POINT.slice(0, 66)),
  s: BigInt(`0x${BASE_POINT.slice(66)}`),
});
