import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';
import { getAddress, isAddress } from 'viem/utils';

import { type Hex, toHex } from './bytes';

/**
 * @returns The checksummed address (EIP-55) of a 64-byte public key.
 *
 * @example
 * ```ts
 * import { publicKeyOf } from './secp256k1';
 * const privateKey = new Uint8Array(32).fill(1);
 * addressOfPublicKey(publicKeyOf(privateKey)); // => '0x1a642f0E3c3aF545E7AcBD38b07251B3990914F1'
 * ```
 */
export const addressOfPublicKey = (publicKey: Uint8Array): Hex => getAddress(toHex(keccak256(publicKey).subarray(12)));

/**
 * @returns False only for a mixed-case address with a wrong EIP-55 checksum, which suggests a typo.
 *
 * @example
 * ```ts
 * hasPlausibleChecksum('0x70997970C51812dc3A010C7d01b50e0d17dc79C8'); // => true
 * hasPlausibleChecksum('0x70997970c51812dc3a010c7d01b50e0d17dc79c8'); // => true
 * hasPlausibleChecksum('0x70997970C51812dc3A010C7d01b50e0d17dc79c8'); // => false
 * ```
 */
export function hasPlausibleChecksum(address: Hex): boolean {
  const digits = address.slice(2);
  return digits === digits.toUpperCase() || isAddress(address);
}
