import { type Hex } from '../eth/bytes';

/**
 * 65 bytes that every check but the last one accepts: `r` is the x of a curve point and `s` is low, so a
 * public key can be recovered. No byte is zero, as in most real ones, so the call data costs the same.
 */
export const DUMMY_SIGNATURE: Hex = `0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798${'7a'.repeat(32)}1b`;
