import { type Hex } from '../eth/bytes';
import { BASE_POINT } from '../eth/secp256k1';

/**
 * 65 bytes that every check but the last one accepts: `r` is the x of a curve point and `s`, its y, is low, so a public key
 * can be recovered. No byte is zero, and none is repeated more than chance has it, as in real ones: call data costs the
 * same, also where a rollup compresses it.
 */
export const DUMMY_SIGNATURE: Hex = `${BASE_POINT}1b`;
