import { concat, encodeAbiParameters, numberToHex, padHex, size } from 'viem/utils';

import { BASE_POINT } from '../../erc4337/dummy-signature';
import { larger } from '../../eth/units';
import { type Hex, lowerCase } from '../../eth/bytes';
import { DUMMY_SIGNATURE } from '../../erc4337/dummy-signature';
import { type Owner } from './owners';

/** The signature of one owner: 65 bytes r, s, v for a key, or what the owner's contract verifies (ERC-1271). */
export type OwnerSignature = Owner & { readonly signature: Hex };

/** The bytes of one owner's signature in the first part: r, s, v, or owner, offset, 0. */
const HEAD = 65;

/**
 * Joins signatures of several owners as `checkNSignatures` reads them (Safe.sol): ascending by address, contract
 * signatures behind all heads with their length before them, offsets from the first byte.
 *
 * @param signatures - One for each owner that signs, in any order.
 */
export function joinSignatures(signatures: readonly OwnerSignature[]): Hex {
  const ascending = [...signatures].sort((one, other) => (BigInt(one.address) < BigInt(other.address) ? -1 : 1));
  const heads: Hex[] = [];
  const tails: Hex[] = [];
  let offset = HEAD * ascending.length;
  for (const { address, isContract, signature } of ascending) {
    if (isContract) {
      heads.push(concat([padHex(lowerCase(address), { size: 32 }), numberToHex(offset, { size: 32 }), '0x00']));
      tails.push(concat([numberToHex(size(signature), { size: 32 }), signature]));
      offset += 32 + size(signature);
    } else heads.push(signature);
  }
  return lowerCase(concat([...heads, ...tails]));
}

/**
 * The form of a passkey's signature (SafeWebAuthnSigner), with room for the longest `clientDataJSON` that Chromium
 * writes for an origin of usual length. It also stands for any other contract's signature.
 */
const contractDummy = (): Hex =>
  encodeAbiParameters(
    [{ type: 'bytes' }, { type: 'bytes' }, { type: 'uint256' }, { type: 'uint256' }],
    [
      `0x${'5a'.repeat(37)}`,
      `0x${'6f'.repeat(288)}`,
      BigInt(BASE_POINT.slice(0, 66)),
      BigInt(`0x${BASE_POINT.slice(66)}`),
    ],
  );

/** The owners whose signatures cost most: any of them may sign in the end. */
const costliest = (owners: readonly Owner[], threshold: number): readonly Owner[] =>
  [...owners].sort((one, other) => Number(other.isContract) - Number(one.isContract)).slice(0, threshold);

/**
 * Signatures of the real layout for gas estimates. They never verify.
 *
 * @param owners - All owners of the account.
 */
export const dummySignatures = (owners: readonly Owner[], threshold: number): Hex =>
  joinSignatures(
    costliest(owners, threshold).map((owner) => ({
      ...owner,
      signature: owner.isContract ? contractDummy() : DUMMY_SIGNATURE,
    })),
  );

/** @returns The signature of a user operation of the real layout, for gas estimates. */
export const dummyOperationSignature = (owners: readonly Owner[], threshold: number): Hex =>
  `0x${'00'.repeat(12)}${dummySignatures(owners, threshold).slice(2)}`;

/** Measured gas of validation with one owner and no deposit yet, less that owner's, with a margin. */
const BASE_GAS = 110_000n;
/** Recovering a signer, with a margin. */
const KEY_GAS = 8_000n;
/** A passkey without the precompile, verified by Daimo's contract (at most 363,000 measured). */
const CONTRACT_GAS = 400_000n;

/** @returns Gas that the signatures of the costliest owners take. */
const signaturesGas = (owners: readonly Owner[], threshold: number): bigint =>
  costliest(owners, threshold).reduce((sum, { isContract }) => sum + (isContract ? CONTRACT_GAS : KEY_GAS), 0n);

/**
 * Raises an estimate of verification gas by what the signatures of several owners take. Safe stops at the first dummy
 * signature, so an estimate covers one owner at most, and depends on the order of the addresses. What the rest of the
 * validation takes is the network's own price, which the estimate has; the measured gas is only its lower limit.
 */
export function enoughFor<Limits extends { readonly verificationGasLimit: bigint }>(
  limits: Limits,
  owners: readonly Owner[],
  threshold: number,
): Limits {
  const { verificationGasLimit: estimate } = limits;
  const validation = larger(estimate, BASE_GAS);
  return { ...limits, verificationGasLimit: validation + signaturesGas(owners, threshold) };
}
