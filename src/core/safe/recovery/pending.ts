import { address, array, uint, uint256 } from '../../eth/abi';
import { isSameAddress, SENTINEL, ZERO_ADDRESS } from '../../eth/address';
import { type Hex } from '../../eth/bytes';
import { askContract, assertAnswer, type ReadAt, wordsCall } from './answer';
import { type NewOwners } from './new-owners';

/** A recovery whose delay has begun. */
export type PendingRecovery = NewOwners & {
  /** Anyone may finalize it in a block from this time on, in seconds since 1970. */
  readonly executeAfter: bigint;
  /** How many guardians confirmed it. Replacing it takes more. */
  readonly approvals: bigint;
};

const FIELD = 'recovery';

/** `getRecoveryRequest(address)` → (approvals, newThreshold, executeAfter, newOwners). */
const GET_REQUEST = '0x4f9a28b9';
const REQUEST = { returns: [uint256, uint256, uint(64), array(address)], isStruct: true, field: FIELD } as const;

/**
 * Checks a list of addresses as a contract keeps them.
 *
 * @throws {ServiceFailedError} If the node answered another list.
 */
export function assertLinkedList(list: readonly Hex[], field: string): void {
  const isReserved = (one: Hex): boolean => isSameAddress(one, ZERO_ADDRESS) || isSameAddress(one, SENTINEL);
  assertAnswer(!list.some(isReserved), field, 'must not contain the zero address or 0x…01');
  assertAnswer(new Set(list).size === list.length, field, 'must contain each address once');
}

/**
 * Reads the pending recovery of a Safe from its module. Its new owners may be ones with which it can never be
 * finalized, since the module does not check them before.
 *
 * @returns undefined if none is pending.
 * @throws {ServiceFailedError} If the node's answer contradicts itself.
 */
export async function readPending(module: Hex, safe: Hex, at: ReadAt): Promise<PendingRecovery | undefined> {
  const data = wordsCall(GET_REQUEST, safe);
  const [approvals, newThreshold, executeAfter, newOwners] = await askContract(module, data, REQUEST, at);
  if (executeAfter === 0n) {
    const isEmpty = newOwners.length === 0 && newThreshold === 0n && approvals === 0n;
    assertAnswer(isEmpty, FIELD, 'must be empty without a time from which it can be finalized');
    return undefined;
  }
  assertAnswer(newOwners.length > 0, `${FIELD}.newOwners`, 'must not be empty');
  const isPossible = newThreshold > 0n && newThreshold <= BigInt(newOwners.length);
  assertAnswer(isPossible, `${FIELD}.newThreshold`, 'must be at least 1, and at most the number of new owners');
  return { newOwners, newThreshold, executeAfter, approvals };
}
