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

/** @returns A quantity as JSON-RPC writes it: no leading zeros, zero is 0x0. */
export const quantityToHex = (quantity: bigint): Hex => `0x${quantity.toString(16)}`;

/** @returns The shortest big-endian form; zero is no byte at all (Yellow Paper, appendix B). */
export function quantityToBytes(quantity: bigint): Uint8Array {
  if (quantity === 0n) return new Uint8Array(0);
  const digits = quantity.toString(16);
  return hexToBytes(digits.length % 2 === 0 ? digits : `0${digits}`);
}
