import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';

import { toHex } from './bytes';

const prefixed = (message: Uint8Array): Uint8Array =>
  concatBytes(utf8ToBytes(`\x19Ethereum Signed Message:\n${message.length}`), message);

/**
 * The hash that `personal_sign` signs (EIP-191, version 0x45). The prefix keeps a message from ever being a valid
 * transaction or typed data.
 *
 * @param message - The message bytes. The prefix contains their number in decimal.
 */
export const personalMessageDigest = (message: Uint8Array): Uint8Array => keccak256(prefixed(message));

/** The number of bytes before the length, and the maximum number of digits of the length. */
const PREFIX = 26;
const MAX_DIGITS = 8;

/** @returns The message inside bytes that consist of the prefix and a message; otherwise undefined. */
export function messageInPrefixed(bytes: Uint8Array): Uint8Array | undefined {
  const whole = toHex(bytes);
  for (let digits = 1; digits <= MAX_DIGITS; digits++) {
    const message = bytes.subarray(PREFIX + digits);
    if (message.length.toString().length === digits && toHex(prefixed(message)) === whole) return message;
  }
  return undefined;
}
