import { GET_OWNERS, GET_THRESHOLD } from '../owners/owners';
import { type AbiType, address, array, uint256 } from '../../eth/abi';
import { isIn } from '../../eth/address';
import { ServiceFailedError } from '../../errors';
import { type Hex } from '../../eth/bytes';
import { BytesStruct, QuantityAnswerStruct } from '../../structs/hex';
import { type } from '../../structs/struct';
import { askContract, assertAnswer, type NodeReader, type Question, type ReadAt, wordsCall } from './answer';
import { type Guarding } from './calls';
import { hasModuleCode, type RecoveryModule } from './modules';
import { assertLinkedList, type PendingRecovery, readPending } from './pending';
import { readModules } from './safe-modules';

/** Functions of the module with the Safe as argument. */
export const GET_GUARDIANS: Hex = '0xf18858ab';
export const GET_GUARDIANS_NEEDED: Hex = '0xc86ec2bf';
const GET_NONCE = '0x70ae92d2';

const BlockStruct = type({ number: QuantityAnswerStruct, timestamp: QuantityAnswerStruct });

/** The address of a module has other code than the module that Keystead knows. */
export class OtherCodeError extends ServiceFailedError {}

/** What a Safe and its recovery module have in one block. */
export type RecoveryState = Guarding & {
  /** Whether the module may act for the Safe. Without that, guardians can confirm but never finalize a recovery. */
  readonly isEnabled: boolean;
  /** How many of the owners must sign. */
  readonly ownersNeeded: bigint;
  /** The nonce that guardians sign. Each recovery that begins raises it, and voids other confirmations. */
  readonly nonce: bigint;
  /** The block's time, in seconds since 1970. */
  readonly time: bigint;
};

/** Reads the latest block, so that all answers are for the same one. */
async function latestBlock(node: NodeReader): Promise<ReadAt & { readonly time: bigint }> {
  const { number, timestamp } = await node.ask('eth_getBlockByNumber', ['latest', false], BlockStruct);
  return { node, block: `0x${BigInt(number).toString(16)}`, time: BigInt(timestamp) };
}

/** @throws {ServiceFailedError} If the node answers owners that a Safe cannot have. */
export async function readOwners(safe: Hex, at: ReadAt): Promise<readonly Hex[]> {
  const [owners] = await askContract(safe, GET_OWNERS, { returns: [array(address)], field: 'owners' }, at);
  assertLinkedList(owners, 'owners');
  assertAnswer(owners.length > 0, 'owners', 'must not be empty');
  return owners;
}

/** @throws {ServiceFailedError} If a Safe with these owners cannot need so many of their signatures. */
export function assertOwnersNeeded(needed: bigint, owners: readonly Hex[]): void {
  const isPossible = needed > 0n && needed <= BigInt(owners.length);
  assertAnswer(isPossible, 'threshold', 'must be at least 1, and at most the number of owners');
}

/** @throws {ServiceFailedError} If a recovery would come later than the module's delay allows. */
function assertWithinPeriod(pending: PendingRecovery | undefined, time: bigint, { period }: RecoveryModule): void {
  if (pending === undefined) return;
  const isWithin = pending.executeAfter <= time + period;
  assertAnswer(isWithin, 'recovery.executeAfter', "must be within the module's delay of the latest block");
}

/** @throws {ServiceFailedError} If the guardians are not ones that the module keeps for this Safe. */
function assertGuardians(guardians: readonly Hex[], threshold: bigint, safe: Hex): void {
  assertLinkedList(guardians, 'guardians');
  const isOfOthers = !isIn(guardians, safe);
  assertAnswer(isOfOthers, 'guardians', 'must not contain the account itself');
  assertAnswer(threshold <= BigInt(guardians.length), 'threshold', 'must be at most the number of guardians');
  assertAnswer(threshold > 0n || guardians.length === 0, 'threshold', 'must be at least 1 with guardians');
}

/**
 * Reads the recovery of a Safe in the latest block, after checking that the module has the code that Keystead knows.
 * One node can still lie about all of it in the same way; what it answers must at least be a state that these contracts
 * can have.
 *
 * @returns undefined if the module is not on this network.
 * @throws {OtherCodeError} If the code at the module's address is another one.
 * @throws {ServiceFailedError} If an answer is malformed or contradicts another; names the field and the rule.
 * @throws {ServiceRefusedError} If the Safe is not deployed.
 */
export async function readRecovery(
  safe: Hex,
  module: RecoveryModule,
  node: NodeReader,
): Promise<RecoveryState | undefined> {
  const at = await latestBlock(node);
  const code = await node.ask('eth_getCode', [module.address, at.block], BytesStruct);
  if (code === '0x') return undefined;
  if (!hasModuleCode(module, code))
    throw new OtherCodeError(
      `module: must have the code of the ${module.name} ${module.version}. The contract at ${module.address} on this network has other code.`,
    );
  const ofModule = <const Types extends readonly AbiType<unknown>[]>(selector: Hex, question: Question<Types>) =>
    askContract(module.address, wordsCall(selector, safe), question, at);
  const [modules, owners, [ownersNeeded], [guardians], [threshold], [nonce], pending] = await Promise.all([
    readModules(safe, at),
    readOwners(safe, at),
    askContract(safe, GET_THRESHOLD, { returns: [uint256], field: 'threshold' }, at),
    ofModule(GET_GUARDIANS, { returns: [array(address)], field: 'guardians' }),
    ofModule(GET_GUARDIANS_NEEDED, { returns: [uint256], field: 'threshold' }),
    ofModule(GET_NONCE, { returns: [uint256], field: 'nonce' }),
    readPending(module.address, safe, at),
  ]);
  assertOwnersNeeded(ownersNeeded, owners);
  assertGuardians(guardians, threshold, safe);
  assertAnswer(pending === undefined || nonce > 0n, 'nonce', 'must be at least 1 after a recovery began');
  assertWithinPeriod(pending, at.time, module);
  return {
    safe,
    module: module.address,
    modules,
    isEnabled: isIn(modules, module.address),
    owners,
    ownersNeeded,
    guardians,
    threshold,
    nonce,
    time: at.time,
    ...(pending !== undefined && { pending }),
  };
}
