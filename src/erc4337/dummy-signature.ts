import { type Hex } from '../eth/bytes';

/**
 * 65 bytes that every check but the last one accepts: `r` is the x of a curve point and `s` is low, so a
 * public key can be recovered. No byte is zero, as in most real ones, so the call data costs the same.
 */
export const DUMMY_SIGNATURE: Hex = `0x${'7b'.repeat(64)}1b`;
