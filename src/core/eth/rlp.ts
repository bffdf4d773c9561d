import { numberToHex } from 'viem/utils';

import { type Hex } from './bytes';

/**
 * An RLP item: bytes in hex, or a list of items.
 *
 * @example
 * ```ts
 * const item: RlpItem = ['0x01', ['0x', '0xcafe']];
 * ```
 */
export type RlpItem = Hex | readonly RlpItem[];

/**
 * @returns The shortest big-endian form. Zero has no bytes (Yellow Paper, appendix B).
 *
 * @example
 * ```ts
 * rlpQuantity(0n); // => '0x'
 * rlpQuantity(1_024n); // => '0x400'
 * ```
 */
export const rlpQuantity = (value: bigint): Hex => (value === 0n ? '0x' : numberToHex(value));
