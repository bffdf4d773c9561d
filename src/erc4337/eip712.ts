import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';

import { concatBytes, fromHex, type Hex, utf8ToBytes } from '../eth/bytes';
import { type AbiItem, addressItem, bytes32Item, encodeArguments, uintItem } from './abi';

/** The hash of a text: a type as EIP-712 writes it, or a member that is a text. */
export const textHash = (text: string): AbiItem => bytes32Item(keccak256(utf8ToBytes(text)));

/** The hash of bytes, as a member. */
export const hashOf = (bytes: Hex): AbiItem => bytes32Item(keccak256(fromHex(bytes)));

/** The hash of values as the ABI encodes them. */
export const hashed = (items: readonly AbiItem[]): Uint8Array => keccak256(encodeArguments(items));

/**
 * The digest of EIP-712 for a struct in a domain.
 *
 * @param domain - The hash of its type, then its members, each in a word; dynamic ones hashed already.
 * @param struct - The same of the struct.
 */
export const structDigest = (domain: readonly AbiItem[], struct: readonly AbiItem[]): Uint8Array =>
  keccak256(concatBytes(Uint8Array.of(0x19, 0x01), hashed(domain), hashed(struct)));

/** The same in a domain of chain and contract only. */
export const contractDigest = (
  struct: readonly AbiItem[],
  domain: { readonly chainId: bigint; readonly verifyingContract: Hex },
): Uint8Array =>
  structDigest(
    [
      textHash('EIP712Domain(uint256 chainId,address verifyingContract)'),
      uintItem(domain.chainId),
      addressItem(domain.verifyingContract),
    ],
    struct,
  );
