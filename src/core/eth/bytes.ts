import { bytesToHex } from '@noble/hashes/utils.js';

/** Bytes or a quantity written in hex with a 0x prefix. */
export type Hex = `0x${string}`;

/** @returns The same bytes in the one spelling that compares: viem refuses an address in mixed case that is no checksum. */
export const lowerCase = (hex: Hex): Hex => hex.toLowerCase() as Hex;

/** What is refused as no bytes in hex. */
export const NOT_BYTES = 'must be bytes: 0x and an even number of hex digits';

/** @returns Lower-case hex, two digits a byte. */
export const toHex = (bytes: Uint8Array): Hex => `0x${bytesToHex(bytes)}`;

/** @returns The bytes of a list of any length one after the other: more than a function has parameters. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** The value of a hex digit, from its character's code: letters of either case have 1 to 6 in their last four bits. */
const digitOf = (code: number): number => (code & 15) + (code > 57 ? 9 : 0);

/**
 * Writes bytes without making an array of them first: typed data of many items is one long buffer.
 *
 * @param hex - 0x and an even number of digits, which the caller has checked.
 * @param at - Where the first byte goes.
 */
export function writeHex(hex: Hex, out: Uint8Array, at: number): void {
  for (let index = 2, to = at; index < hex.length; index += 2, to++)
    out[to] = (digitOf(hex.charCodeAt(index)) << 4) | digitOf(hex.charCodeAt(index + 1));
}

/**
 * The libraries' errors quote what they could not read, which may be a private key; this one does not.
 *
 * @param hex - 0x and an even number of digits.
 * @throws {RangeError} If it is not.
 */
export function fromHex(hex: Hex): Uint8Array {
  if (!/^0x(?:[0-9a-f]{2})*$/iu.test(hex)) throw new RangeError('hex is 0x and an even number of hex digits');
  const bytes = new Uint8Array(hex.length / 2 - 1);
  writeHex(hex, bytes, 0);
  return bytes;
}

/** @returns A quantity as JSON-RPC writes it: no leading zeros, zero is 0x0. */
export const quantityToHex = (quantity: bigint): Hex => `0x${quantity.toString(16)}`;
