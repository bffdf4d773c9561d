import { getContractAddress } from 'viem/utils';

import { type Hex } from '../eth/bytes';
import { type OperationPlace } from './hash';
import { isDelegationMarker, splitInitCode } from './packed-fields';
import { type UserOperation } from './user-operation';

/**
 * The contract that calls an account's factory for an entry point: the first that the entry point's constructor creates,
 * in every version. From 0.8 on, factories accept calls from no other address.
 */
export const senderCreatorOf = (entryPoint: Hex): Hex => getContractAddress({ from: entryPoint, nonce: 1n });

/**
 * The calls that an entry point makes to execute an operation: the deployment of the account if the operation carries one,
 * then the operation's own call. Validation and payment are left out, and so is a
 * delegation (EIP-7702), which is no call.
 *
 * @throws {InvalidParamsError} If `initCode` is malformed.
 */
export function operationCalls(
  { sender, initCode, callData }: Pick<UserOperation, 'sender' | 'initCode' | 'callData'>,
  { entryPoint }: Pick<OperationPlace, 'entryPoint'>,
): { readonly from: Hex; readonly to: Hex; readonly value: bigint; readonly data: Hex }[] {
  const execution = { from: entryPoint, to: sender, value: 0n, data: callData };
  const deployment = splitInitCode(initCode);
  if (deployment === undefined || isDelegationMarker(initCode)) return [execution];
  const { factory, factoryData } = deployment;
  return [{ from: senderCreatorOf(entryPoint), to: factory, value: 0n, data: factoryData }, execution];
}
