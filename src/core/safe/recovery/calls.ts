import { type Abi, type ContractFunctionName, type EncodeFunctionDataParameters } from 'viem';
import { encodeFunctionData } from 'viem/utils';

import { InvalidParamsError } from '../../errors';
import { type Call } from '../../erc4337/user-operation';
import { isIn, isSameAddress, SENTINEL, ZERO_ADDRESS } from '../../eth/address';
import { smaller } from '../../eth/units';
import { type Hex, lowerCase } from '../../eth/bytes';
import { RECOVERY_ABI, SAFE_ADMINISTRATION_ABI } from './abi';
import { type GuardianSignature, inModuleOrder } from './guardian-signature';
import { type NewOwners } from './new-owners';
import { type PendingRecovery } from './pending';

/** A call of the Safe, or of anyone, without value. */
const call = <const abi extends Abi, name extends ContractFunctionName<abi>>(
  to: Hex,
  called: EncodeFunctionDataParameters<abi, name>,
): Call => ({ to: lowerCase(to), value: 0n, data: encodeFunctionData(called) });

/** The guardians of a Safe, in the order in which the module lists them, and how many of them have to confirm. */
export type Guardians = { readonly guardians: readonly Hex[]; readonly threshold: bigint };

/** What the calls of a Safe to its recovery module depend on. */
export type Guarding = Guardians & {
  readonly safe: Hex;
  readonly module: Hex;
  /** The enabled modules, in the order in which the Safe lists them. */
  readonly modules: readonly Hex[];
  readonly owners: readonly Hex[];
  readonly pending?: PendingRecovery | undefined;
};

/** More guardians are not offered: each costs the Safe gas, and a screen shows all of them. */
export const MAX_GUARDIANS = 20;

/** @returns The address before another in a list of a Safe or a module; the list begins with the sentinel. */
function previous(list: readonly Hex[], address: Hex, field: string): Hex {
  const at = list.findIndex((one) => isSameAddress(one, address));
  if (at < 0) throw new InvalidParamsError(field, 'must be in the list that the contract has now');
  return lowerCase(list[at - 1] ?? SENTINEL);
}

/** @returns The rule that a chosen guardian breaks; undefined if it breaks none. */
function faultOfGuardian(chosen: readonly Hex[], index: number, { safe, owners }: Guarding): string | undefined {
  const guardian = chosen[index] ?? ZERO_ADDRESS;
  if (isSameAddress(guardian, ZERO_ADDRESS) || isSameAddress(guardian, SENTINEL))
    return 'must not be the zero address or 0x…01, which the module reserves';
  if (isSameAddress(guardian, safe)) return 'must not be the account itself';
  if (isIn(owners, guardian)) return 'must not be an owner of the account';
  if (isIn(chosen.slice(0, index), guardian)) return 'must not be in the list twice';
  return undefined;
}

/**
 * Checks chosen guardians by the module's own rules.
 *
 * @throws {InvalidParamsError} Names the field and the rule.
 */
export function assertGuardians({ guardians, threshold }: Guardians, guarding: Guarding): void {
  if (guardians.length === 0 || guardians.length > MAX_GUARDIANS)
    throw new InvalidParamsError('guardians', `must be 1 to ${MAX_GUARDIANS} addresses`);
  guardians.forEach((_guardian, index) => {
    const fault = faultOfGuardian(guardians, index, guarding);
    if (fault !== undefined) throw new InvalidParamsError(`guardians[${index}]`, fault);
  });
  if (threshold < 1n || threshold > BigInt(guardians.length))
    throw new InvalidParamsError('threshold', 'must be at least 1, and at most the number of guardians');
}

const atMost = (threshold: bigint, count: number): bigint => smaller(threshold, BigInt(count));

const enable = ({ safe, module }: Guarding): Call =>
  call(safe, {
    abi: SAFE_ADMINISTRATION_ABI,
    functionName: 'enableModule',
    args: [lowerCase(module)],
  });

/**
 * The call with which a Safe switches a module off, so that it cannot act for the Safe any more.
 *
 * @param modules - The enabled modules, in the order in which the Safe lists them.
 * @throws {InvalidParamsError} If the module is not enabled.
 */
export const disableModule = ({ safe, module, modules }: Pick<Guarding, 'safe' | 'module' | 'modules'>): Call =>
  call(safe, {
    abi: SAFE_ADMINISTRATION_ABI,
    functionName: 'disableModule',
    args: [previous(modules, module, 'module'), lowerCase(module)],
  });

/** Adds guardians; the module puts each at the front of its list. */
const add = (module: Hex, guardian: Hex, threshold: bigint): Call =>
  call(module, {
    abi: RECOVERY_ABI,
    functionName: 'addGuardianWithThreshold',
    args: [lowerCase(guardian), threshold],
  });

/** Revokes guardians one after another, from a list that gets shorter. */
function revoke(module: Hex, revoked: readonly Hex[], list: readonly Hex[], threshold: bigint): Call[] {
  let left = list;
  return revoked.map((guardian) => {
    const before = previous(left, guardian, 'guardians');
    left = left.filter((one) => !isSameAddress(one, guardian));
    return call(module, {
      abi: RECOVERY_ABI,
      functionName: 'revokeGuardianWithThreshold',
      args: [before, lowerCase(guardian), atMost(threshold, left.length)],
    });
  });
}

/**
 * The calls with which a Safe turns recovery on, or changes its guardians: enables the module if it is not enabled,
 * adds and revokes guardians, and sets how many have to confirm. They belong into one operation. Guardians of an
 * earlier time, which survive when the module is disabled, are revoked if they are not chosen again.
 *
 * @param now - What the contracts have now.
 * @returns No calls if nothing would change.
 * @throws {InvalidParamsError} If a chosen guardian breaks a rule of the module, or a recovery is pending: it would go
 * on, because revoking guardians does not stop it.
 */
export function setGuardians(chosen: Guardians, now: Guarding): Call[] {
  assertGuardians(chosen, now);
  if (now.pending !== undefined)
    throw new InvalidParamsError('guardians', 'must not be changed during a recovery: cancel it first');
  const { module, modules } = now;
  const { guardians, threshold } = chosen;
  const added = guardians.filter((guardian) => !isIn(now.guardians, guardian));
  const revoked = now.guardians.filter((guardian) => !isIn(guardians, guardian));
  const all = [...added.toReversed(), ...now.guardians];
  const calls = [
    ...(isIn(modules, module) ? [] : [enable(now)]),
    ...added.map((guardian, index) => add(module, guardian, atMost(threshold, now.guardians.length + index + 1))),
    ...revoke(module, revoked, all, threshold),
  ];
  if (added.length > 0 || revoked.length > 0 || threshold === now.threshold) return calls;
  return [...calls, call(module, { abi: RECOVERY_ABI, functionName: 'changeThreshold', args: [threshold] })];
}

/** The call with which a Safe cancels a pending recovery. It works at any time before it is finalized. */
export const cancelRecovery = (module: Hex): Call =>
  call(module, { abi: RECOVERY_ABI, functionName: 'cancelRecovery' });

/**
 * The calls with which a Safe turns recovery off: cancels a pending one, revokes every guardian, and disables the
 * module. Otherwise the guardians, and a pending recovery, would be back if the module were enabled again. While the
 * module is disabled it changes no guardians, so it is enabled for that.
 */
export function turnOff(now: Guarding): Call[] {
  const { module, modules, guardians, pending } = now;
  const isEnabled = isIn(modules, module);
  const cancelled = pending === undefined ? [] : [cancelRecovery(module)];
  if (!isEnabled && guardians.length === 0) return cancelled;
  return [
    ...cancelled,
    ...(isEnabled ? [] : [enable(now)]),
    ...revoke(module, guardians, guardians, now.threshold),
    disableModule(isEnabled ? now : { ...now, modules: [module, ...modules] }),
  ];
}

/**
 * The calls with which a Safe turns recovery off in all its modules, for one operation. See {@link turnOff}.
 *
 * @param states - What the Safe has at each module, in the same block.
 */
export function turnOffAll(states: readonly Guarding[]): Call[] {
  let modules = states[0]?.modules ?? [];
  return states.flatMap((now) => {
    const calls = turnOff({ ...now, modules });
    modules = modules.filter((one) => !isSameAddress(one, now.module));
    return calls;
  });
}

const addresses = (list: readonly Hex[]): Hex[] => list.map(lowerCase);

/**
 * The call with which a guardian confirms a recovery on the network, as its sender.
 *
 * @param begin - Begins the delay as well, which takes enough confirmations.
 */
export const confirmRecovery = (
  module: Hex,
  safe: Hex,
  { newOwners, newThreshold }: NewOwners,
  { begin }: { readonly begin: boolean },
): Call =>
  call(module, {
    abi: RECOVERY_ABI,
    functionName: 'confirmRecovery',
    args: [lowerCase(safe), addresses(newOwners), newThreshold, begin],
  });

/** The call with which anyone confirms a recovery for the guardians who signed it. */
export const confirmBySignatures = (
  module: Hex,
  safe: Hex,
  { newOwners, newThreshold }: NewOwners,
  signatures: readonly GuardianSignature[],
  { begin }: { readonly begin: boolean },
): Call =>
  call(module, {
    abi: RECOVERY_ABI,
    functionName: 'multiConfirmRecovery',
    args: [lowerCase(safe), addresses(newOwners), newThreshold, inModuleOrder(signatures), begin],
  });

/** The call with which anyone begins the delay, once enough guardians have confirmed. */
export const beginRecovery = (module: Hex, safe: Hex, { newOwners, newThreshold }: NewOwners): Call =>
  call(module, {
    abi: RECOVERY_ABI,
    functionName: 'executeRecovery',
    args: [lowerCase(safe), addresses(newOwners), newThreshold],
  });

/** The call with which anyone finalizes a recovery after the delay: the new owners replace the old ones. */
export const finalizeRecovery = (module: Hex, safe: Hex): Call =>
  call(module, { abi: RECOVERY_ABI, functionName: 'finalizeRecovery', args: [lowerCase(safe)] });
