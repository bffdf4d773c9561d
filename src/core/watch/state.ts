import { GUARD_SLOT, HANDLER_SLOT, MODULE_GUARD_SLOT } from '../safe/contracts';
import { GET_THRESHOLD } from '../safe/owners/owners';
import { KeysteadError, ServiceFailedError } from '../errors';
import { bytes32, uint256 } from '../eth/abi';
import { isIn } from '../eth/address';
import { delegateIn } from '../eth/authorization';
import { type Hex, lowerCase, quantityToHex } from '../eth/bytes';
import { askContract, assertAnswer, isOtherContract, type ReadAt, wordsCall } from '../safe/recovery/answer';
import { RECOVERY_MODULES } from '../safe/recovery/modules';
import { readPending } from '../safe/recovery/pending';
import { readModules } from '../safe/recovery/safe-modules';
import { readOwners } from '../safe/recovery/state';
import { AddressStruct } from '../schemas/address';
import { BEGUN_RECOVERY } from '../schemas/begun-recovery';
import { BytesStruct, Uint256Struct } from '../structs/hex';
import { array, type Infer, literal, nullable, object, union } from '../structs/struct';

/** A list that is longer is counted from here on. No one reads more addresses in an alarm. */
const MOST_OWNERS = 20;

/** A recovery that has begun. */
export const BegunRecoveryStruct = object({ module: AddressStruct, ...BEGUN_RECOVERY });
export type BegunRecovery = Infer<typeof BegunRecoveryStruct>;

/** Who controls a Safe. Addresses are in lower case; that of a contract that is not set is null. */
const SafeStateStruct = object({
  kind: literal('safe'),
  owners: array(AddressStruct),
  threshold: Uint256Struct,
  modules: array(AddressStruct),
  guard: nullable(AddressStruct),
  moduleGuard: nullable(AddressStruct),
  handler: nullable(AddressStruct),
  /** The contract with the Safe's code. */
  implementation: nullable(AddressStruct),
  recoveries: array(BegunRecoveryStruct),
});
export type SafeState = Infer<typeof SafeStateStruct>;

/** An account with a key: what runs in its name by EIP-7702. */
const KeyStateStruct = object({ kind: literal('key'), delegate: nullable(AddressStruct) });

/** What can be seen of who controls an account. */
export const WatchedStateStruct = union([SafeStateStruct, KeyStateStruct]);
export type WatchedState = Infer<typeof WatchedStateStruct>;

/** The account is neither one with a key nor a Safe, so that nobody can say who controls it. */
export class NotWatchableError extends ServiceFailedError {}

/** `getStorageAt(uint256,uint256)` of a Safe: so many words from a slot on. */
const GET_STORAGE = '0x5624b25b';
const IMPLEMENTATION: Hex = '0x0';

const addressIn = (word: string): Hex | null => {
  const found: Hex = `0x${word.slice(-40).toLowerCase()}`;
  return BigInt(found) === 0n ? null : found;
};

/** Bytes of one word: after the offset, their length and the word. */
const WORD = { returns: [uint256, bytes32], isStruct: true, field: 'storage' } as const;

async function contractAt(safe: Hex, slot: Hex, at: ReadAt): Promise<Hex | null> {
  const [length, word] = await askContract(safe, wordsCall(GET_STORAGE, slot, '0x1'), WORD, at);
  assertAnswer(length === 32n, 'storage', 'must be one word');
  return addressIn(word);
}

/** The slot is read, since another contract's code could answer anything. */
const implementationOf = async (safe: Hex, { node, block }: ReadAt): Promise<Hex | null> =>
  addressIn(await node.ask('eth_getStorageAt', [safe, IMPLEMENTATION, block], BytesStruct));

const RECOVERIES = RECOVERY_MODULES.map(({ address }) => address);

/**
 * Whatever answers like a recovery module is one: its guardians can begin a recovery. Others may have been made so that
 * they cannot be asked, which must not hide the rest.
 */
async function recoveryAt(module: Hex, safe: Hex, begun: readonly BegunRecovery[], at: ReadAt) {
  try {
    const pending = await readPending(module, safe, at);
    if (pending === undefined) return [];
    const { newOwners, newThreshold, executeAfter } = pending;
    return [
      {
        module,
        newOwners: newOwners.slice(0, MOST_OWNERS).map(lowerCase),
        more: Math.max(0, newOwners.length - MOST_OWNERS),
        newThreshold: quantityToHex(newThreshold),
        executeAfter: quantityToHex(executeAfter),
      },
    ];
  } catch (error) {
    if (isOtherContract(error)) return [];
    if (isIn(RECOVERIES, module) || !(error instanceof KeysteadError)) throw error;
    return begun.filter((one) => one.module === module);
  }
}

async function readSafe(safe: Hex, before: WatchedState | undefined, at: ReadAt): Promise<SafeState> {
  const [owners, [threshold], modules, guard, moduleGuard, handler, implementation] = await Promise.all([
    readOwners(safe, at),
    askContract(safe, GET_THRESHOLD, { returns: [uint256], field: 'threshold' }, at),
    readModules(safe, at, true),
    contractAt(safe, GUARD_SLOT, at),
    contractAt(safe, MODULE_GUARD_SLOT, at),
    contractAt(safe, HANDLER_SLOT, at),
    implementationOf(safe, at),
  ]);
  assertAnswer(threshold > 0n && threshold <= owners.length, 'threshold', 'must be from 1 to the number of owners');
  // One that is switched off counts: what begins there goes on when it is switched on again.
  const begun = before?.kind === 'safe' ? before.recoveries : [];
  const asked = new Set([...modules, ...begun.map(({ module }) => module), ...RECOVERIES].map(lowerCase));
  const recoveries = await Promise.all([...asked].map((module) => recoveryAt(module, safe, begun, at)));
  return {
    kind: 'safe',
    owners: owners.map(lowerCase),
    threshold: quantityToHex(threshold),
    modules: modules.map(lowerCase),
    guard,
    moduleGuard,
    handler,
    implementation,
    recoveries: recoveries.flat(),
  };
}

/** Reads a Safe that was one before. Other code at its place need not answer at all, which must be noticed too. */
async function readSafeAgain(safe: Hex, before: SafeState, at: ReadAt): Promise<SafeState> {
  try {
    return await readSafe(safe, before, at);
  } catch (error) {
    if (!(error instanceof KeysteadError)) throw error;
    const implementation = await implementationOf(safe, at);
    if (implementation === before.implementation) throw error;
    return { ...before, implementation };
  }
}

/**
 * Reads who controls an account.
 *
 * @param before - What it was. The code of a Safe's proxy does not change, so it is not read again.
 * @throws {NotWatchableError} If it is a contract that does not answer as a Safe.
 * @throws {ServiceFailedError} If the node does not answer, or contradicts itself.
 * @throws {ServiceRefusedError} If the node refuses.
 */
export async function readWatched(account: Hex, before: WatchedState | undefined, at: ReadAt): Promise<WatchedState> {
  if (before?.kind === 'safe') return readSafeAgain(account, before, at);
  const code = await at.node.ask('eth_getCode', [account, at.block], BytesStruct);
  const delegate = delegateIn(code);
  if (delegate !== undefined || code === '0x') return { kind: 'key', delegate: delegate ? lowerCase(delegate) : null };
  try {
    return await readSafe(account, before, at);
  } catch (error) {
    if (isOtherContract(error))
      throw new NotWatchableError('This contract does not answer as a Safe, so nothing can be watched.');
    throw error;
  }
}
