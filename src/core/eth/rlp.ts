import { numberToHex } from 'viem/utils';

import { type Hex } from './bytes';

/** An RLP item: bytes in hex, or a list of items. */
export type RlpItem = Hex | readonly RlpItem[];

/** @returns The shortest big-endian form. Zero has no bytes (Yellow Paper, appendix B). */
export const rlpQuantity = (value: bigint): Hex => (value === 0n ? '0x' : numberToHex(value));
