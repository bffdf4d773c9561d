import { getContractAddress } from 'viem/utils';

import { larger } from '../eth/units';
import { type Hex, lowerCase } from '../eth/bytes';
import { type OperationDomain } from './hash';
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

/**
 * The gas of a transaction itself. Where it is 6,000 less (EIP-2780), these cover what accounts and storage cost more
 * (EIP-8038).
 */
const TRANSACTION_GAS = 21_000n;

/**
 * The gas of a transaction's data in bytes, as it is charged and at least (EIP-2028, EIP-7623). Where it needs more at
 * least (EIP-7976), the node says so, and the preview asks again with more.
 */
function gasOfData(data: Hex): { readonly charged: bigint; readonly least: bigint } {
  const zeros =
    data
      .slice(2)
      .match(/../gu)
      ?.filter((byte) => byte === '00').length ?? 0;
  const tokens = BigInt(2 * data.length - 4 - 3 * zeros);
  return { charged: 4n * tokens, least: 10n * tokens };
}

/** Data for the 4337 module of a Safe: `executeUserOp` or `executeUserOpWithErrorString`. */
const OF_A_SAFE = /^0x(?:7bb37428|541d63c8)/iu;

/**
 * What accounts and storage cost more in a transaction of their own than after the operation's validation (EIP-2929),
 * measured with the entry points: 4,500 to 6,532 for SimpleAccount, 9,071 to 11,236 for a Safe, and up to 30,994 for
 * one whose settings are deployed and changed at once. Without it, an operation with exactly the gas it needs would
 * seem to fail; with more, one with too little would seem to succeed.
 */
function gasOfValidated({ sender, initCode, callData }: ExecutedOperation): bigint {
  if (!OF_A_SAFE.test(callData)) return 6600n;
  return initCode !== '0x' && lowerCase(callData).includes(lowerCase(sender).slice(2)) ? 31_000n : 11_300n;
}

function gasOf(operation: ExecutedOperation): Pick<EntryPointCall, 'gas'> {
  const { callData, callGasLimit = 0n, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = operation;
  if (callGasLimit === 0n) return {};
  const { charged, least } = gasOfData(callData);
  const needed = charged + callGasLimit + gasOfValidated(operation);
  return { gas: { limit: TRANSACTION_GAS + larger(needed, least), maxFeePerGas, maxPriorityFeePerGas } };
}

/**
 * The calls that an entry point makes to execute an operation: the deployment of the account if the operation carries
 * one, then the operation's own call. Validation and payment are left out, and so is a delegation (EIP-7702), which is
 * no call.
 *
 * @throws {InvalidParamsError} If `initCode` is malformed.
 */
export function operationCalls(
  operation: ExecutedOperation,
  { entryPoint }: Pick<OperationDomain, 'entryPoint'>,
): EntryPointCall[] {
  const { sender, initCode, callData } = operation;
  const execution = { from: entryPoint, to: sender, value: 0n, data: callData, ...gasOf(operation) };
  const deployment = splitInitCode(initCode);
  if (deployment === undefined || isDelegationMarker(initCode)) return [execution];
  const { factory, factoryData } = deployment;
  return [{ from: senderCreatorOf(entryPoint), to: factory, value: 0n, data: factoryData }, execution];
}
