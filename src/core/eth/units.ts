import { formatUnits } from 'viem/utils';

/** The largest 256-bit number, which often means "unlimited" or "never expires". */
export const MAX_UINT256 = (1n << 256n) - 1n;

/** @returns The larger of two numbers. */
export const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** @returns The smaller of two numbers. */
export const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** "1 call", "2 calls". */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`;

/**
 * A decimal number with its whole digits in groups, if they are five or more: "12,345.67", "1234.5". Locales change
 * nothing in a snap, so this does it.
 */
export const grouped = (decimal: string): string =>
  decimal.replace(/^-?\d{5,}/u, (whole) => whole.replace(/\B(?=(?:\d{3})+$)/gu, ','));

/** An amount in whole units, exactly, as every screen and page writes it. @param amount - In the smallest unit. */
export const groupedUnits = (amount: bigint, decimals: number): string => grouped(formatUnits(amount, decimals));
