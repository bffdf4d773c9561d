import { getContractAddress } from 'viem/utils';

import { type Hex } from '../eth/bytes';
import { type OperationPlace } from './hash';
import { isDelegationMarker, splitInitCode } from './packed-fields';
import { type UserOperation } from './user-operation';

/**
 * The contract that calls an account's factory for an entry point: the first that the entry point's constructor creates,
 * in every version. From 0.8 on, factories accept calls from no other address.
 *
 * @example
 * ```ts
 * senderCreatorOf('0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789'); // => '0x7fc98430eAEdbb6070B35B39D798725049088348'
 * senderCreatorOf('0x0000000071727De22E5E9d8BAf0edAc6f37da032'); // => '0xEFC2c1444eBCC4Db75e7613d20C6a62fF67A167C'
 * ```
 */
export const senderCreatorOf = (entryPoint: Hex): Hex => getContractAddress({ from: entryPoint, nonce: 1n });

/**
 * The calls that an entry point makes to execute an operation: the deployment of the account if the operation carries one,
 * then the operation's own call. Validation and payment are left out, and so is a
 * delegation (EIP-7702), which is no call.
 *
 * @throws {InvalidParamsError} If `initCode` is malformed.
 *
 * @example
 * ```ts
 * const op = { sender: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', nonce: 0n, initCode: '0x', callData: '0xb61d27f6',
 *   callGasLimit: 50_000n, verificationGasLimit: 100_000n, preVerificationGas: 50_000n, maxFeePerGas: 10n ** 9n,
 *   maxPriorityFeePerGas: 10n ** 9n, paymasterAndData: '0x', signature: '0x' } as const;
 * const entryPoint = '0x0000000071727De22E5E9d8BAf0edAc6f37da032';
 * const execution = { from: entryPoint, to: op.sender, value: 0n, data: '0xb61d27f6' };
 * operationCalls(op, { entryPoint }); // => [execution]
 * const factory = '0x91e60e0613810449d098b0b5ec8b51a0fe8c8985';
 * const deployment = { from: senderCreatorOf(entryPoint), to: factory, value: 0n, data: '0x5fbfb9cf' };
 * operationCalls({ ...op, initCode: `${factory}5fbfb9cf` }, { entryPoint }); // => [deployment, execution]
 * ```
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
