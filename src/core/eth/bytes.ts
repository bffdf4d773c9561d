import { bytesToHex } from '@noble/hashes/utils.js';

/**
 * Bytes or a quantity in hex, with a 0x prefix.
 *
 * @example
 * ```ts
 * const oneEther: Hex = `0x${(10n ** 18n).toString(16)}`;
 * oneEther; // => '0xde0b6b3a7640000'
 * ```
 */
export type Hex = `0x${string}`;

/** @returns The same bytes in lower case. viem rejects mixed-case addresses with a wrong checksum. */
export const lowerCase = (hex: Hex): Hex => hex.toLowerCase() as Hex;

/** The rule for hex bytes, as used in error messages. */
export const NOT_BYTES = 'must be bytes: 0x and an even number of hex digits';

/** @returns Lower-case hex, two digits a byte. */
export const toHex = (bytes: Uint8Array): Hex => `0x${bytesToHex(bytes)}`;

/** The value of a hex digit, from its character code. The last four bits of a letter in either case are 1 to 6. */
const digitOf = (code: number): number => (code & 15) + (code > 57 ? 9 : 0);

/**
 * Decodes hex directly into a buffer, without an intermediate array. Typed data with many items uses one long buffer.
 *
 * @param hex - 0x and an even number of hex digits; the caller has validated it.
 * @param at - The position of the first byte in `out`.
 */
export function writeHex(hex: Hex, out: Uint8Array, at: number): void {
  for (let index = 2, to = at; index < hex.length; index += 2, to++)
    out[to] = (digitOf(hex.charCodeAt(index)) << 4) | digitOf(hex.charCodeAt(index + 1));
}

/**
 * Decodes hex. Unlike the libraries' errors, this one never quotes its input, which may be a private key.
 *
 * @param hex - 0x and an even number of digits.
 * @throws {RangeError} If `hex` has another form.
 */
export function fromHex(hex: Hex): Uint8Array {
  if (!/^0x(?:[0-9a-f]{2})*$/iu.test(hex)) throw new RangeError('hex: must be 0x and an even number of hex digits');
  const bytes = new Uint8Array(hex.length / 2 - 1);
  writeHex(hex, bytes, 0);
  return bytes;
}

/** @returns A JSON-RPC quantity: hex without leading zeros; zero is 0x0. */
export const quantityToHex = (quantity: bigint): Hex => `0x${quantity.toString(16)}`;
