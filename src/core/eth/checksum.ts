import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';
import { getAddress, isAddress } from 'viem/utils';

import { type Hex, toHex } from './bytes';

/** @returns The checksummed address (EIP-55) of a 64-byte public key. */
export const addressOfPublicKey = (publicKey: Uint8Array): Hex => getAddress(toHex(keccak256(publicKey).subarray(12)));

/** @returns False only for a mixed-case address with a wrong EIP-55 checksum, which suggests a typo. */
export function hasPlausibleChecksum(address: Hex): boolean {
  const digits = address.slice(2);
  return digits === digits.toUpperCase() || isAddress(address);
}
