import { InvalidParamsError } from '../../errors';
import { isSameAddress, SENTINEL, ZERO_ADDRESS } from '../../eth/address';
import { type Hex } from '../../eth/bytes';

/** The owners that a recovery gives a Safe. Their order is part of what guardians sign. */
export type NewOwners = {
  readonly newOwners: readonly Hex[];
  readonly newThreshold: bigint;
};

/** The Safe, and the guardians of its recovery module. */
type Guarded = { readonly safe: Hex; readonly guardians: readonly Hex[] };

/** More owners are not offered, so that a screen can show each of them. */
export const MAX_NEW_OWNERS = 20;

/** @returns The rule that an owner at an index breaks; undefined if it breaks none. */
function faultOfOwner(owners: readonly Hex[], index: number, { safe, guardians }: Guarded): string | undefined {
  const owner = owners[index] ?? ZERO_ADDRESS;
  const isOwner = (other: Hex): boolean => isSameAddress(other, owner);
  if (isOwner(ZERO_ADDRESS) || isOwner(SENTINEL)) return 'must not be the zero address or 0x…01, which Safe reserves';
  if (isOwner(safe)) return 'must not be the account itself';
  if (guardians.some(isOwner)) return 'must not be a guardian of the account';
  if (owners.slice(0, index).some(isOwner)) return 'must not be in the list twice';
  return undefined;
}

/**
 * Checks the new owners before a guardian signs. The module accepts all of these faults when it is confirmed, and then
 * refuses for ever to finalize the recovery.
 *
 * @param root - The name of the recovery in error messages.
 * @throws {InvalidParamsError} Names the field and the rule.
 */
export function assertNewOwners({ newOwners, newThreshold }: NewOwners, guarded: Guarded, root = 'recovery'): void {
  if (newOwners.length === 0 || newOwners.length > MAX_NEW_OWNERS)
    throw new InvalidParamsError(`${root}.newOwners`, `must be 1 to ${MAX_NEW_OWNERS} addresses`);
  newOwners.forEach((_owner, index) => {
    const fault = faultOfOwner(newOwners, index, guarded);
    if (fault !== undefined) throw new InvalidParamsError(`${root}.newOwners[${index}]`, fault);
  });
  if (newThreshold < 1n || newThreshold > BigInt(newOwners.length))
    throw new InvalidParamsError(`${root}.newThreshold`, 'must be at least 1, and at most the number of new owners');
}
