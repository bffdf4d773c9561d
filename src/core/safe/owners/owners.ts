import { ServiceFailedError } from '../../errors';
import { address, array, decode, UNBOUNDED } from '../../eth/abi';
import { isIn, SENTINEL, ZERO_ADDRESS } from '../../eth/address';
import { delegateIn } from '../../eth/authorization';
import { type Hex, lowerCase } from '../../eth/bytes';

/** `getOwners()` of a Safe: the owners in the order of its list, which changes of owners depend on. */
export const GET_OWNERS: Hex = '0xa0e67e2b';

/** `getThreshold()` of a Safe: how many of its owners must sign. */
export const GET_THRESHOLD: Hex = '0xe75235b8';

/** The storage slot of the threshold in Safe 1.3.0 to 1.5.0 (`OwnerManager`). It is zero before the set-up. */
export const THRESHOLD_SLOT: Hex = `0x${'4'.padStart(64, '0')}`;

/** The owners of a Safe in the order of its list, and how many of them must sign. Addresses are lower case. */
export type SafeOwners = { readonly owners: readonly Hex[]; readonly threshold: number };

/** An owner, and whether its signatures are verified by a contract (ERC-1271) instead of by recovering the signer. */
export type Owner = { readonly address: Hex; readonly isContract: boolean };

/** More owners than any wallet works with. It bounds what a node can make others do. */
const MAX_OWNERS = 200;

const refused = (safe: Hex, rule: string): ServiceFailedError =>
  new ServiceFailedError(`The node's answer about the owners of ${safe} is invalid: ${rule}.`);

/**
 * Checks what a node says about the owners of a Safe against the rules that the contract itself keeps
 * (`OwnerManager.sol`).
 *
 * @param answer - The result of {@link GET_OWNERS}.
 * @throws {ServiceFailedError} If no Safe could have these owners; names the rule.
 */
export function readOwners(safe: Hex, answer: Hex, threshold: bigint): SafeOwners {
  const decoded = decode([array(address)], lowerCase(answer).slice(2), UNBOUNDED);
  if ('misfit' in decoded) throw refused(safe, 'owners must be a list of addresses');
  const owners = decoded.values[0].map(lowerCase);
  if (owners.length === 0 || owners.length > MAX_OWNERS)
    throw refused(safe, `owners must be a list of 1 to ${MAX_OWNERS} addresses`);
  if (new Set(owners).size !== owners.length) throw refused(safe, 'owners must not contain an address twice');
  if (owners.some((owner) => [ZERO_ADDRESS, SENTINEL, lowerCase(safe)].includes(owner)))
    throw refused(safe, 'an owner must not be 0x0…0, 0x0…1 or the account itself');
  if (threshold < 1n || threshold > BigInt(owners.length))
    throw refused(safe, `the threshold must be from 1 to ${owners.length}, the number of owners`);
  return { owners, threshold: Number(threshold) };
}

/**
 * @param code - The code at the owner's address. An account that is delegated (EIP-7702) still signs with its key.
 */
export const ownerWith = (owner: Hex, code: Hex): Owner => ({
  address: owner,
  isContract: code !== '0x' && delegateIn(code) === undefined,
});

/** @returns Whether an address is among the owners. */
export const isOwner = (address: string, { owners }: SafeOwners): boolean => isIn(owners, address);
