import { concatBytes, type Hex, utf8ToBytes } from '../eth/bytes';
import { keccak256 } from '../eth/keccak';
import { type AbiItem, addressItem, bytes32Item, encodeArguments, uintItem } from './abi';

/** The hash of a type as EIP-712 writes it. */
export const typeHash = (type: string): Uint8Array => keccak256(utf8ToBytes(type));

const DOMAIN_TYPE_HASH = typeHash('EIP712Domain(uint256 chainId,address verifyingContract)');

const hashed = (items: readonly AbiItem[]): Uint8Array => keccak256(encodeArguments(items));

/**
 * The digest of EIP-712 in a domain of chain and contract only.
 *
 * @param members - The struct's, each in a word; dynamic ones hashed already.
 */
export const contractDigest = (
  type: Uint8Array,
  members: readonly AbiItem[],
  domain: { readonly chainId: bigint; readonly verifyingContract: Hex },
): Uint8Array =>
  keccak256(
    concatBytes(
      Uint8Array.of(0x19, 0x01),
      hashed([bytes32Item(DOMAIN_TYPE_HASH), uintItem(domain.chainId), addressItem(domain.verifyingContract)]),
      hashed([bytes32Item(type), ...members]),
    ),
  );
