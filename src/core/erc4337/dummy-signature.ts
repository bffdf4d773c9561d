import { type Authorization, type SignedAuthorization } from '../eth/authorization';
import { BASE_POINT } from '../eth/base-point';
import { type Hex } from '../eth/bytes';

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
