import { concat, numberToHex } from 'viem/utils';

import { InvalidParamsError } from '../../errors';
import { isSameAddress } from '../../eth/address';
import { type Hex } from '../../eth/bytes';
import { counted } from '../../eth/units';
import { type Validity } from '../safe-op';
import { isOwner, type SafeOwners } from './owners';
import { joinSignatures, type OwnerSignature } from './signatures';

/** The state of the collection of signatures, compared with the present owners. */
export type Collected = {
  /** The signatures of present owners. */
  readonly valid: readonly OwnerSignature[];
  /** The signers that are not owners now. */
  readonly strangers: readonly Hex[];
  /** The owners that have not signed. */
  readonly waiting: readonly Hex[];
  /** The number of further owners that must sign. */
  readonly missing: number;
};

/** @param signatures - Verified ones. Only the first of a signer counts: a contract may accept several. */
export function collectedFor(signatures: readonly OwnerSignature[], current: SafeOwners): Collected {
  const firsts = signatures.filter(
    ({ address }, index) => signatures.findIndex((other) => isSameAddress(other.address, address)) === index,
  );
  const valid = firsts.filter(({ address }) => isOwner(address, current));
  return {
    valid,
    strangers: firsts.flatMap(({ address }) => (isOwner(address, current) ? [] : [address])),
    waiting: current.owners.filter((owner) => !valid.some(({ address }) => isSameAddress(address, owner))),
    missing: Math.max(0, current.threshold - valid.length),
  };
}

/**
 * The signature of a message (ERC-1271): exactly as many signatures as the account requires, those of keys first,
 * because they cost least.
 *
 * @throws {InvalidParamsError} If signatures are missing.
 */
export function messageSignature(signatures: readonly OwnerSignature[], current: SafeOwners): Hex {
  const { valid, missing } = collectedFor(signatures, current);
  if (missing > 0) throw new InvalidParamsError('signatures', `must hold ${counted(missing, 'more signature')}`);
  const chosen = [...valid].sort((one, other) => Number(one.isContract) - Number(other.isContract));
  return joinSignatures(chosen.slice(0, current.threshold));
}

/**
 * The signature of a user operation: validity, then that of the owners.
 *
 * @throws {InvalidParamsError} If signatures are missing.
 */
export const completeSignature = (
  signatures: readonly OwnerSignature[],
  current: SafeOwners,
  { validAfter, validUntil }: Validity,
): Hex =>
  concat([
    numberToHex(validAfter, { size: 6 }),
    numberToHex(validUntil, { size: 6 }),
    messageSignature(signatures, current),
  ]);
