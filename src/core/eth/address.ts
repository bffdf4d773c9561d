import { type Hex } from './bytes';

/** @returns Whether two addresses are equal regardless of case. Accepts any text. */
export const isSameAddress = (a: string, b: string): boolean =>
  a === b || (a.length === b.length && a.toLowerCase() === b.toLowerCase());

/** @returns Whether a list has an address, regardless of case. */
export const isIn = (list: readonly string[], address: string): boolean =>
  list.some((one) => isSameAddress(one, address));

/** The zero address. */
export const ZERO_ADDRESS: Hex = `0x${'0'.repeat(40)}`;

/** Safe's lists of owners, modules and guardians begin and end with it (`SENTINEL_OWNERS`). */
export const SENTINEL: Hex = `0x${'0'.repeat(39)}1`;
