import { type Hex } from '../eth/bytes';
import { BASE_POINT } from '../eth/secp256k1';

/**
 * A 65-byte signature that passes every check except the final comparison. `r` is the x coordinate of a curve point and
 * `s` its low y coordinate, so a public key can be recovered. Like a real signature it has no zero bytes and no unusual
 * repetition, so its call data costs the same, even on rollups that compress it.
 */
export const DUMMY_SIGNATURE: Hex = `${BASE_POINT}1b`;
