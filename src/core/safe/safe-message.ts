import { encodeFunctionData, hashTypedData, parseAbi } from 'viem/utils';

import { fromHex, type Hex, lowerCase, toHex } from '../eth/bytes';
import { personalMessageDigest } from '../eth/message';
import { type TypedData, typedDataDigest } from '../eth/typed-data';
import { SAFE_MESSAGE_TYPES } from './contracts';

/** What a site asks an account to sign: the bytes of `personal_sign`, or typed data (EIP-712). */
export type MessageContent = { readonly message: Hex } | { readonly typedData: TypedData };

/**
 * @returns The 32 bytes that the site gets a signature of.
 * @throws {InvalidParamsError} If typed data contradicts its types.
 */
export const contentDigest = (content: MessageContent): Uint8Array =>
  'message' in content ? personalMessageDigest(fromHex(content.message)) : typedDataDigest(content.typedData);

/**
 * The EIP-712 message that each owner of a Safe signs for a message (ERC-1271). It binds the hash to this Safe.
 *
 * @param hash - Of what is signed: EIP-191 for a text, EIP-712 for typed data.
 */
export const safeMessageOf = (hash: Hex, safe: Hex, chainId: bigint) =>
  ({
    domain: { chainId, verifyingContract: lowerCase(safe) },
    types: SAFE_MESSAGE_TYPES,
    primaryType: 'SafeMessage',
    message: { message: hash },
  }) as const;

/** @returns The 32 bytes that each owner signs for the hash of a message. */
export const safeMessageDigest = (hash: Uint8Array, safe: Hex, chainId: bigint): Uint8Array =>
  fromHex(hashTypedData(safeMessageOf(toHex(hash), safe, chainId)));

const ERC1271 = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)']);

/** @returns The call that asks an account whether a signature of a hash is its own (ERC-1271). */
export const validityCall = (hash: Hex, signature: Hex): Hex =>
  encodeFunctionData({ abi: ERC1271, args: [hash, signature] });

/** The word that {@link validityCall} returns for a valid signature. */
export const IS_VALID = 0x1626ba7en << 224n;
