import { getAddress } from 'viem';

import { ownersSentence } from '../../core/decode/words/own-changes';
import { type OwnerChange, ownersAfter } from '../../core/safe/owners/changes';
import { isOwner, type SafeOwners } from '../../core/safe/owners/owners';
import { InvalidParamsError } from '../../core/errors';
import { isSameAddress } from '../../core/eth/address';
import { type Hex } from '../../core/eth/bytes';
import { shortAddress } from './account-name';
import { InvalidFieldError } from './errors';

/** The names of the fields of a change on the page. */
const LABELS: Readonly<Record<string, string>> = {
  owner: 'Owner',
  by: 'New owner',
  threshold: 'Required signatures',
};

/**
 * @param unproven - Owners, or owners to be, that have not shown that they can sign. No change may depend on them: if
 *   they cannot, nobody could undo it.
 * @returns The owners after a change.
 * @throws {InvalidFieldError} If the account would refuse it, or owners that can sign would be too few; names the field
 *   as the page does.
 */
export function checkedChange(
  safe: Hex,
  current: SafeOwners,
  change: OwnerChange,
  unproven: readonly Hex[],
): SafeOwners {
  let after: SafeOwners;
  try {
    after = ownersAfter(safe, current, change);
  } catch (error) {
    if (!(error instanceof InvalidParamsError)) throw error;
    throw new InvalidFieldError(error.field, `${LABELS[error.field] ?? error.field}: ${error.rule}`);
  }
  const able = after.owners.filter((owner) => !unproven.some((each) => isSameAddress(each, owner))).length;
  if (after.threshold > able)
    throw new InvalidFieldError(
      'threshold',
      `${LABELS.threshold}: must be at most ${able}, without the passkeys that have not signed on this network. Try them first, or remove them`,
    );
  return after;
}

/** @returns The owner that a change adds; undefined if it adds none. */
export const entrantOf = (change: OwnerChange): Hex | undefined =>
  change.kind === 'add' ? change.owner : change.kind === 'replace' ? change.by : undefined;

/** @returns The owner that a change removes; undefined if it removes none. */
export const leaverOf = (change: OwnerChange): Hex | undefined =>
  change.kind === 'remove' || change.kind === 'replace' ? change.owner : undefined;

/**
 * @param name - What the page calls an address.
 * @returns What a change comes to, in the words of Keystead's dialog.
 */
export function changeLine(
  change: OwnerChange,
  { owners, threshold }: SafeOwners,
  name: (address: string) => string | undefined,
): string {
  const [entrant, leaver] = [entrantOf(change), leaverOf(change)];
  const list = {
    added: entrant === undefined ? [] : [entrant],
    removed: leaver === undefined ? [] : [leaver],
    threshold: change.kind === 'replace' ? undefined : BigInt(change.threshold),
  };
  const before = { count: owners.length, threshold: BigInt(threshold) };
  return ownersSentence(list, before, (address) => name(address) ?? shortAddress(getAddress(address)));
}

/**
 * @param own - The owner whose key Keystead has; undefined if it is not an own account.
 * @returns What the account's security is like with these owners; undefined if nothing is to be said.
 */
export function adviceFor(after: SafeOwners, own: string | undefined): string | undefined {
  const { owners, threshold } = after;
  if (own !== undefined && !isOwner(own as Hex, after))
    return 'After this, the key that Keystead has for this account is no owner any more: it cannot sign for the account.';
  if (owners.length > 1 && threshold === owners.length)
    return 'All owners must sign. If one of them loses the key, the account is lost, unless guardians recover it.';
  if (owners.length > 1 && threshold === 1) return 'Each owner alone can do anything with the account.';
  return undefined;
}
