import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';

import { InvalidParamsError } from '../errors';
import { fromHex, type Hex, quantityToHex, toHex } from '../eth/bytes';
import { GAS_LIMITS, type GasLimits, gasLimitsOf, type UserOperation } from './user-operation';

/** The gas limits that an operation was prepared with; hex quantities of gas. */
type PreparedGasLimits = GasLimits<Hex>;

/** What is remembered of an operation that was prepared, to compare with when it is to be signed. Long bytes as hashes. */
export type PreparedOperation = {
  readonly chainId: string;
  readonly sender: Hex;
  readonly nonce: Hex;
  readonly initCodeHash: Hex;
  readonly callDataHash: Hex;
  /** Absent where the wallet was left to estimate them. */
  readonly gasLimits?: PreparedGasLimits;
  /** The stub; once the operation was patched, what the patch says. */
  readonly paymasterAndData: Hex;
  /** The paymaster's data is final before the patch. */
  readonly paymasterIsFinal: boolean;
};

const hashOf = (bytes: Hex): Hex => toHex(keccak256(fromHex(bytes)));

/** A user operation as it was prepared. */
type Prepared = {
  readonly draft: Pick<UserOperation, 'sender' | 'nonce' | 'initCode' | 'callData' | 'paymasterAndData'>;
  /** Undefined where the wallet was left to estimate them. */
  readonly gasLimits: GasLimits<bigint> | undefined;
  /** Whether the paymaster's stub data is final, so that no patch is needed. */
  readonly paymasterIsFinal: boolean;
};

/** @returns What is to be remembered of an operation as it was prepared. */
export const preparedOperation = (
  { draft: operation, gasLimits, paymasterIsFinal }: Prepared,
  chainId: bigint,
): PreparedOperation => ({
  chainId: chainId.toString(),
  sender: operation.sender.toLowerCase() as Hex,
  nonce: quantityToHex(operation.nonce),
  initCodeHash: hashOf(operation.initCode),
  callDataHash: hashOf(operation.callData),
  paymasterAndData: operation.paymasterAndData.toLowerCase() as Hex,
  paymasterIsFinal,
  ...(gasLimits !== undefined && { gasLimits: gasLimitsOf(gasLimits, quantityToHex) }),
});

/** @returns Whether an operation has the sender, chain, nonce, initCode and callData of a prepared one. */
export const isOfPrepared = (operation: UserOperation, chainId: bigint, prepared: PreparedOperation): boolean =>
  prepared.chainId === chainId.toString() &&
  prepared.sender === operation.sender.toLowerCase() &&
  prepared.nonce === quantityToHex(operation.nonce) &&
  prepared.initCodeHash === hashOf(operation.initCode) &&
  prepared.callDataHash === hashOf(operation.callData);

/** The fields that are not as prepared. */
function changedFields(operation: UserOperation, prepared: PreparedOperation): string[] {
  const { gasLimits } = prepared;
  const same: readonly [string, boolean][] = [
    ['nonce', BigInt(prepared.nonce) === operation.nonce],
    ['initCode', prepared.initCodeHash === hashOf(operation.initCode)],
    ['callData', prepared.callDataHash === hashOf(operation.callData)],
    ...GAS_LIMITS.map((field): [string, boolean] => [
      field,
      gasLimits === undefined || BigInt(gasLimits[field]) === operation[field],
    ]),
    ['paymasterAndData', prepared.paymasterAndData === operation.paymasterAndData.toLowerCase()],
  ];
  return same.flatMap(([field, holds]) => (holds ? [] : [field]));
}

/**
 * Compares an operation that is to be signed with those that were prepared for the same account and chain.
 *
 * One that has neither the nonce nor the call data of any of them was made elsewhere. The fees are not
 * compared: whoever sends the operation sets them after it is prepared.
 *
 * @param prepared - Of the same sender and chain.
 * @returns Whether it was prepared here.
 * @throws {InvalidParamsError} If it was, and was changed since; names the field.
 */
export function assertAsPrepared(operation: UserOperation, prepared: readonly PreparedOperation[]): boolean {
  const callDataHash = hashOf(operation.callData);
  // Several may have the same nonce: what was changed is what differs from the one it is closest to.
  const [changed] = prepared
    .filter((entry) => BigInt(entry.nonce) === operation.nonce || entry.callDataHash === callDataHash)
    .map((entry) => changedFields(operation, entry))
    .sort((one, other) => one.length - other.length);
  const field = changed?.[0];
  if (field !== undefined)
    throw new InvalidParamsError(
      `userOperation.${field}`,
      'must be what it was when the operation was prepared and patched; to change it, prepare the operation again',
    );
  return changed !== undefined;
}
