import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';
import { bytesToBigInt, concatBytes, getAddress, numberToBytes, toRlp } from 'viem/utils';

import { type Hex, lowerCase, quantityToHex } from './bytes';
import { addressOfPublicKey } from './checksum';
import { rlpQuantity } from './rlp';
import { recoverPublicKeyOf, type Signature } from './secp256k1';

/**
 * An authorization (EIP-7702): with it, an account runs the code of another contract, its delegate, from then on. The
 * zero address takes the delegation back. It takes effect only while `nonce` is the account's nonce, so it works at
 * most once.
 *
 * @example
 * ```ts
 * const authorization: Authorization = { chainId: 1n, address: '0xe6Cae83BdE06E4c305530e199D7217f42808555B', nonce: 7n };
 * authorization.nonce; // => 7n
 * ```
 */
export type Authorization = { readonly chainId: bigint; readonly address: Hex; readonly nonce: bigint };

/**
 * An authorization with the account's signature, as a transaction of type 4 carries it.
 *
 * @example
 * ```ts
 * const address = '0xe6Cae83BdE06E4c305530e199D7217f42808555B';
 * const signed: SignedAuthorization = { chainId: 1n, address, nonce: 7n, yParity: 0, r: 1n, s: 1n };
 * ```
 */
export type SignedAuthorization = Authorization & { readonly yParity: 0 | 1; readonly r: bigint; readonly s: bigint };

/** The first byte of what is hashed (`MAGIC` of EIP-7702). No transaction type has this number. */
const MAGIC = 5;

/** The order of the curve (SEC 2, 2.4.1). */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/**
 * viem's `hashAuthorization` takes the chain id and the nonce as numbers, which are not exact above 2^53.
 *
 * @returns The 32-byte digest that the account signs: `keccak256(0x05 || rlp([chain_id, address, nonce]))`.
 */
export const authorizationDigest = ({ chainId, address, nonce }: Authorization): Uint8Array =>
  keccak256(
    concatBytes([Uint8Array.of(MAGIC), toRlp([rlpQuantity(chainId), lowerCase(address), rlpQuantity(nonce)], 'bytes')]),
  );

/** @param signature - The account's signature of {@link authorizationDigest}. */
export const signedAuthorization = (
  { chainId, address, nonce }: Authorization,
  { r, s, yParity }: Signature,
): SignedAuthorization => ({ chainId, address, nonce, yParity, r: bytesToBigInt(r), s: bytesToBigInt(s) });

/**
 * @returns The checksummed address of the account that signed an authorization, or undefined if the signature is
 * invalid. A high `s` is invalid (EIP-2, EIP-7702).
 */
export function authorityOf({ yParity, r, s, ...authorization }: SignedAuthorization): Hex | undefined {
  if (r === 0n || r >= ORDER || s === 0n || s > ORDER / 2n) return undefined;
  const [rBytes, sBytes] = [numberToBytes(r, { size: 32 }), numberToBytes(s, { size: 32 })];
  try {
    return addressOfPublicKey(
      recoverPublicKeyOf(authorizationDigest(authorization), { r: rBytes, s: sBytes, yParity }),
    );
  } catch {
    // `r` is not the x coordinate of a point.
    return undefined;
  }
}

/** The start of the code of a delegated account; the delegate's address follows (EIP-7702). */
const DESIGNATION = '0xef0100';

/** @returns The code of an account that runs the code of `delegate` (EIP-7702). */
export const delegationCode = (delegate: Hex): Hex => `${DESIGNATION}${lowerCase(delegate).slice(2)}` as Hex;

/**
 * @param code - The code of an account, as a node returns it.
 * @returns The checksummed address of the account's delegate, or undefined if it has none.
 */
export const delegateIn = (code: Hex): Hex | undefined =>
  code.length === 48 && code.toLowerCase().startsWith(DESIGNATION) ? getAddress(`0x${code.slice(8)}`) : undefined;

/** @returns A signed authorization in the JSON form of a node's interface, without leading zeros. */
export const authorizationParameter = ({
  chainId,
  address,
  nonce,
  yParity,
  r,
  s,
}: SignedAuthorization): Readonly<Record<string, Hex>> => ({
  chainId: quantityToHex(chainId),
  address,
  nonce: quantityToHex(nonce),
  yParity: quantityToHex(BigInt(yParity)),
  r: quantityToHex(r),
  s: quantityToHex(s),
});
