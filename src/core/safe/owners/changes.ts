import { encodeFunctionData, parseAbi } from 'viem/utils';

import { InvalidParamsError } from '../../errors';
import { isSameAddress, SENTINEL, ZERO_ADDRESS } from '../../eth/address';
import { type Hex, lowerCase } from '../../eth/bytes';
import { type Call } from '../../erc4337/user-operation';
import { isOwner, type SafeOwners } from './owners';

/** A change of a Safe's owners or of how many of them must sign. `threshold` is the number afterwards. */
export type OwnerChange =
  | { readonly kind: 'add'; readonly owner: Hex; readonly threshold: number }
  | { readonly kind: 'remove'; readonly owner: Hex; readonly threshold: number }
  | { readonly kind: 'replace'; readonly owner: Hex; readonly by: Hex }
  | { readonly kind: 'threshold'; readonly threshold: number };

const OWNERS_ABI = parseAbi([
  'function addOwnerWithThreshold(address owner, uint256 _threshold)',
  'function removeOwner(address prevOwner, address owner, uint256 _threshold)',
  'function swapOwner(address prevOwner, address oldOwner, address newOwner)',
  'function changeThreshold(uint256 _threshold)',
]);

/** The entry before an owner in the contract's linked list. */
function before(owner: Hex, { owners }: SafeOwners): Hex {
  const at = owners.findIndex((each) => isSameAddress(each, owner));
  if (at < 0) throw new InvalidParamsError('owner', 'must be an owner of the account');
  return owners[at - 1] ?? SENTINEL;
}

function assertNewOwner(field: string, owner: Hex, safe: Hex, current: SafeOwners): void {
  if ([ZERO_ADDRESS, SENTINEL, lowerCase(safe)].includes(lowerCase(owner)))
    throw new InvalidParamsError(field, 'must not be 0x0…0, 0x0…1 or the account itself');
  if (isOwner(owner, current)) throw new InvalidParamsError(field, 'must not be an owner already');
}

function assertThreshold(threshold: number, count: number): void {
  if (count === 0) throw new InvalidParamsError('owner', 'must not be the only owner');
  if (!Number.isInteger(threshold) || threshold < 1 || threshold > count)
    throw new InvalidParamsError('threshold', `must be from 1 to ${count}, the number of owners afterwards`);
}

/**
 * @returns The owners after a change, in the order that the contract keeps: a new owner comes first.
 * @throws {InvalidParamsError} If the contract would refuse the change; names the field.
 */
export function ownersAfter(safe: Hex, current: SafeOwners, change: OwnerChange): SafeOwners {
  const { owners } = current;
  switch (change.kind) {
    case 'add':
      assertNewOwner('owner', change.owner, safe, current);
      assertThreshold(change.threshold, owners.length + 1);
      return { owners: [lowerCase(change.owner), ...owners], threshold: change.threshold };
    case 'remove':
      before(change.owner, current);
      assertThreshold(change.threshold, owners.length - 1);
      return {
        owners: owners.filter((owner) => !isSameAddress(owner, change.owner)),
        threshold: change.threshold,
      };
    case 'replace':
      before(change.owner, current);
      assertNewOwner('by', change.by, safe, current);
      return {
        ...current,
        owners: owners.map((owner) => (isSameAddress(owner, change.owner) ? lowerCase(change.by) : owner)),
      };
    case 'threshold':
      assertThreshold(change.threshold, owners.length);
      return { owners, threshold: change.threshold };
  }
}

function dataOf(current: SafeOwners, change: OwnerChange): Hex {
  switch (change.kind) {
    case 'add':
      return encodeFunctionData({
        abi: OWNERS_ABI,
        functionName: 'addOwnerWithThreshold',
        args: [lowerCase(change.owner), BigInt(change.threshold)],
      });
    case 'remove':
      return encodeFunctionData({
        abi: OWNERS_ABI,
        functionName: 'removeOwner',
        args: [before(change.owner, current), lowerCase(change.owner), BigInt(change.threshold)],
      });
    case 'replace':
      return encodeFunctionData({
        abi: OWNERS_ABI,
        functionName: 'swapOwner',
        args: [before(change.owner, current), lowerCase(change.owner), lowerCase(change.by)],
      });
    case 'threshold':
      return encodeFunctionData({ abi: OWNERS_ABI, functionName: 'changeThreshold', args: [BigInt(change.threshold)] });
  }
}

/**
 * The call of a Safe to itself that makes a change. It names the owner's predecessor in the list, so it is valid only
 * while the owners are as read.
 *
 * @throws {InvalidParamsError} If the contract would refuse the change; names the field.
 */
export function ownerChangeCall(safe: Hex, current: SafeOwners, change: OwnerChange): Call {
  ownersAfter(safe, current, change);
  return { to: lowerCase(safe), value: 0n, data: dataOf(current, change) };
}
