import { getContractAddress } from 'viem/utils';

import { type Hex } from '../eth/bytes';
import { type OperationPlace } from './hash';
import { isDelegationMarker, splitInitCode } from './packed-fields';
import { type UserOperation } from './user-operation';

/**
 * The contract that calls an account's factory for an entry point: the first that the entry point's constructor
 * creates, in every version. From 0.8 on, factories accept calls from no other address.
 */
export const senderCreatorOf = (entryPoint: Hex): Hex => getContractAddress({ from: entryPoint, nonce: 1n });

/** The parts of an operation that its execution depends on. */
type ExecutedOperation = Pick<UserOperation, 'sender' | 'initCode' | 'callData'> & Partial<OperationGas>;
type OperationGas = Pick<UserOperation, 'callGasLimit' | 'maxFeePerGas' | 'maxPriorityFeePerGas'>;

/** A call, and the gas that a transaction with it needs to leave the account as much as the operation gives it. */
type EntryPointCall = {
  readonly from: Hex;
  readonly to: Hex;
  readonly value: bigint;
  readonly data: Hex;
  readonly gas?: { readonly limit: bigint; readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint };
};

/** The gas of a transaction itself, and for a byte of its data at most (EIP-7623). */
const TRANSACTION_GAS = 21_000n;
const GAS_OF_BYTE = 40n;
/**
 * What accounts and storage cost more in a transaction of their own than after the operation's validation (EIP-2929):
 * four accounts and five slots. A Safe needs three and three. Without it, an operation with exactly the gas it needs
 * would seem to fail.
 */
const VALIDATED_GAS = 20_000n;

function gasOf(
  callData: Hex,
  { callGasLimit = 0n, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n }: Partial<OperationGas>,
): Pick<EntryPointCall, 'gas'> {
  if (callGasLimit === 0n) return {};
  const limit = callGasLimit + TRANSACTION_GAS + VALIDATED_GAS + GAS_OF_BYTE * BigInt(callData.length / 2 - 1);
  return { gas: { limit, maxFeePerGas, maxPriorityFeePerGas } };
}

/**
 * The calls that an entry point makes to execute an operation: the deployment of the account if the operation carries
 * one, then the operation's own call. Validation and payment are left out, and so is a delegation (EIP-7702), which is
 * no call.
 *
 * @throws {InvalidParamsError} If `initCode` is malformed.
 */
export function operationCalls(
  { sender, initCode, callData, ...gas }: ExecutedOperation,
  { entryPoint }: Pick<OperationPlace, 'entryPoint'>,
): EntryPointCall[] {
  const execution = { from: entryPoint, to: sender, value: 0n, data: callData, ...gasOf(callData, gas) };
  const deployment = splitInitCode(initCode);
  if (deployment === undefined || isDelegationMarker(initCode)) return [execution];
  const { factory, factoryData } = deployment;
  return [{ from: senderCreatorOf(entryPoint), to: factory, value: 0n, data: factoryData }, execution];
}
