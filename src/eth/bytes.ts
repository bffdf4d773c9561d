import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';

/** Bytes or a quantity written in hex with a 0x prefix. */
export type Hex = `0x${string}`;

/** @returns Lower-case hex, two digits a byte. */
export const toHex = (bytes: Uint8Array): Hex => `0x${bytesToHex(bytes)}`;

/**
 * @param hex - 0x and an even number of digits.
 * @throws If it is not.
 */
export const fromHex = (hex: Hex): Uint8Array => hexToBytes(hex.slice(2));

/** The value of a hex digit, from its character's code: letters of either case have 1 to 6 in their last four bits. */
const digitOf = (code: number): number => (code & 15) + (code > 57 ? 9 : 0);

/**
 * Writes bytes without making an array of them first.
 *
 * @param hex - 0x and an even number of digits, which the caller has checked.
 * @param at - Where the first byte goes.
 */
export function writeHex(hex: Hex, out: Uint8Array, at: number): void {
  for (let index = 2, to = at; index < hex.length; index += 2, to++)
    out[to] = (digitOf(hex.charCodeAt(index)) << 4) | digitOf(hex.charCodeAt(index + 1));
}

/** @returns A quantity as JSON-RPC writes it: no leading zeros, zero is 0x0. */
export const quantityToHex = (quantity: bigint): Hex => `0x${quantity.toString(16)}`;

/** @returns The shortest big-endian form; zero is no byte at all (Yellow Paper, appendix B). */
export function quantityToBytes(quantity: bigint): Uint8Array {
  if (quantity === 0n) return new Uint8Array(0);
  const digits = quantity.toString(16);
  return hexToBytes(digits.length % 2 === 0 ? digits : `0${digits}`);
}
