import { concatBytes, utf8ToBytes } from './bytes';
import { keccak256 } from './keccak';

/**
 * EIP-191, version 0x45: the hash that `personal_sign` signs. The prefix and the length make it
 * impossible for a message to be a transaction or typed data.
 *
 * @param message - The message's bytes; the length in the prefix counts these, in decimal.
 */
export const personalMessageDigest = (message: Uint8Array): Uint8Array =>
  keccak256(concatBytes(utf8ToBytes(`\x19Ethereum Signed Message:\n${message.length}`), message));
