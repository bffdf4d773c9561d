import { type Hex } from './bytes';

/**
 * @returns Whether two addresses are equal regardless of case. Accepts any text.
 *
 * @example
 * ```ts
 * const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
 * isSameAddress(address, address.toLowerCase()); // => true
 * isSameAddress(address, ZERO_ADDRESS); // => false
 * ```
 */
export const isSameAddress = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/**
 * The zero address.
 *
 * @example
 * ```ts
 * ZERO_ADDRESS.length; // => 42
 * isSameAddress(ZERO_ADDRESS, '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'); // => false
 * ```
 */
export const ZERO_ADDRESS: Hex = `0x${'0'.repeat(40)}`;
