import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';

import { InvalidParamsError } from '../errors';
import { fromHex, type Hex, quantityToHex, toHex } from '../eth/bytes';
import { GAS_LIMITS, type GasLimits, gasLimitsOf, type UserOperation } from './user-operation';

/** The gas limits of a prepared operation, as hex quantities. */
type PreparedGasLimits = GasLimits<Hex>;

/**
 * A prepared operation as it is stored, to be compared with the operation to be signed. Long byte fields are stored as
 * hashes.
 */
export type PreparedOperation = {
  readonly chainId: string;
  readonly sender: Hex;
  readonly nonce: Hex;
  readonly initCodeHash: Hex;
  readonly callDataHash: Hex;
  /** Absent if the wallet estimates them itself. */
  readonly gasLimits?: PreparedGasLimits;
  /** The stub data, or the final data once the operation has been patched. */
  readonly paymasterAndData: Hex;
  /** Whether the stub data was already final before the patch. */
  readonly paymasterIsFinal: boolean;
};

const hashOf = (bytes: Hex): Hex => toHex(keccak256(fromHex(bytes)));

/** A user operation as it was prepared. */
type Prepared = {
  readonly draft: Pick<UserOperation, 'sender' | 'nonce' | 'initCode' | 'callData' | 'paymasterAndData'>;
  /** Undefined if the wallet estimates them itself. */
  readonly gasLimits: GasLimits<bigint> | undefined;
  /** Whether the paymaster's stub data is final, so that no patch is needed. */
  readonly paymasterIsFinal: boolean;
};

/** @returns The record to store for a prepared operation. */
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

/** @returns Whether an operation has the same sender, chain, nonce, initCode and callData as a prepared one. */
export const isOfPrepared = (operation: UserOperation, chainId: bigint, prepared: PreparedOperation): boolean =>
  prepared.chainId === chainId.toString() &&
  prepared.sender === operation.sender.toLowerCase() &&
  prepared.nonce === quantityToHex(operation.nonce) &&
  prepared.initCodeHash === hashOf(operation.initCode) &&
  prepared.callDataHash === hashOf(operation.callData);

/** The fields that differ from the prepared operation. */
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
 * Compares an operation to be signed with those prepared for the same account and chain.
 *
 * An operation that shares neither its nonce nor its call data with any of them was created elsewhere. Fees are not
 * compared, because the sender sets them after preparation.
 *
 * @param prepared - The operations prepared for the same sender and chain.
 * @returns Whether it was prepared here.
 * @throws {InvalidParamsError} If it was prepared here and changed since; names the field.
 */
export function assertAsPrepared(operation: UserOperation, prepared: readonly PreparedOperation[]): boolean {
  const callDataHash = hashOf(operation.callData);
  // Several prepared operations may share a nonce, so report the difference from the closest one.
  const [changed] = prepared
    .filter((entry) => BigInt(entry.nonce) === operation.nonce || entry.callDataHash === callDataHash)
    .map((entry) => changedFields(operation, entry))
    .sort((one, other) => one.length - other.length);
  const field = changed?.[0];
  if (field !== undefined)
    throw new InvalidParamsError(
      `userOperation.${field}`,
      'must not change after the operation was prepared and patched; to change it, prepare the operation again',
    );
  return changed !== undefined;
}
