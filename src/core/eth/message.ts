import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';

import { toHex } from './bytes';

const prefixed = (message: Uint8Array): Uint8Array =>
  concatBytes(utf8ToBytes(`\x19Ethereum Signed Message:\n${message.length}`), message);

/**
 * EIP-191, version 0x45: the hash that `personal_sign` signs. The prefix and the length make it
 * impossible for a message to be a transaction or typed data.
 *
 * @param message - The message's bytes; the length in the prefix counts these, in decimal.
 */
export const personalMessageDigest = (message: Uint8Array): Uint8Array => keccak256(prefixed(message));

/** Bytes in front of the length, and the most digits that a length has here. */
const PREFIX = 26;
const MAX_DIGITS = 8;

/** @returns The message in bytes that are one with its prefix; undefined where they are not exactly that. */
export function messageInPrefixed(bytes: Uint8Array): Uint8Array | undefined {
  const whole = toHex(bytes);
  for (let digits = 1; digits <= MAX_DIGITS; digits++) {
    const message = bytes.subarray(PREFIX + digits);
    if (message.length.toString().length === digits && toHex(prefixed(message)) === whole) return message;
  }
  return undefined;
}
