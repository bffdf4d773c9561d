import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';
import { getAddress, isAddress } from 'viem/utils';

import { type Hex, toHex } from './bytes';

/** @returns The address of a public key of 64 bytes, with the mixed-case checksum of EIP-55. */
export const addressOfPublicKey = (publicKey: Uint8Array): Hex => getAddress(toHex(keccak256(publicKey).subarray(12)));

/** @returns False only for mixed case that is not the checksum of EIP-55: a hint of a typing error. */
export function hasPlausibleChecksum(address: Hex): boolean {
  const digits = address.slice(2);
  return digits === digits.toUpperCase() || isAddress(address);
}
