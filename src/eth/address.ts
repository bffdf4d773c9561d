import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';

import { concatBytes, fromHex, type Hex, toHex, utf8ToBytes } from './bytes';

/** @returns The address with the mixed-case checksum of EIP-55. */
export function checksumAddress(address: Hex): Hex {
  const lower = address.slice(2).toLowerCase();
  const hash = keccak256(utf8ToBytes(lower));
  let digits = '';
  for (let index = 0; index < 40; index++) {
    const nibble = ((hash[index >> 1] ?? 0) >> (index % 2 === 0 ? 4 : 0)) & 15;
    const digit = lower.charAt(index);
    digits += nibble >= 8 ? digit.toUpperCase() : digit;
  }
  return `0x${digits}`;
}

/** @returns The last 20 bytes of the hash of bytes as an address, with checksum. */
const addressByHash = (bytes: Uint8Array): Hex => checksumAddress(toHex(keccak256(bytes).subarray(12)));

/** @returns The address of a public key of 64 bytes, with checksum. */
export const addressOfPublicKey = addressByHash;

/**
 * @param salt - 32 bytes.
 * @param initCodeHash - keccak256(init code).
 * @returns Where a factory puts a contract by CREATE2 (EIP-1014), with checksum.
 */
export const create2Address = (factory: Hex, salt: Uint8Array, initCodeHash: Uint8Array): Hex =>
  addressByHash(concatBytes(Uint8Array.of(0xff), fromHex(factory), salt, initCodeHash));

/** @returns Whether two addresses are the same 20 bytes, however they are spelt. */
export const isSameAddress = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** @returns False only for mixed case that is not the checksum of EIP-55: a hint of a typing error. */
export function hasPlausibleChecksum(address: Hex): boolean {
  const digits = address.slice(2);
  return digits === digits.toLowerCase() || digits === digits.toUpperCase() || checksumAddress(address) === address;
}

/** Nobody. */
export const ZERO_ADDRESS: Hex = `0x${'0'.repeat(40)}`;
