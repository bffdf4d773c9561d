import { type Hex } from './bytes';

/** @returns Whether two addresses are the same 20 bytes, however they are spelt; either may be any text. */
export const isSameAddress = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Nobody. */
export const ZERO_ADDRESS: Hex = `0x${'0'.repeat(40)}`;
