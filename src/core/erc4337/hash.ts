import { getUserOperationHash } from 'viem/account-abstraction';

import { fromHex, type Hex, lowerCase } from '../eth/bytes';
import { type EntryPointVersion } from './entry-points';
import { splitPaymasterAndData, splitInitCode } from './packed-fields';
import { commonFieldsOf, type UserOperation } from './user-operation';

/** What `PACKED_USEROP_TYPEHASH` of EntryPoint is the hash of. */
export const OPERATION_TYPE =
  'PackedUserOperation(address sender,uint256 nonce,bytes initCode,bytes callData,bytes32 accountGasLimits,uint256 preVerificationGas,bytes32 gasFees,bytes paymasterAndData)';

/** Where an operation is valid: its hash is of this chain and this entry point only. */
export type OperationPlace = {
  readonly version: EntryPointVersion;
  readonly entryPoint: Hex;
  readonly chainId: bigint;
};

/**
 * The hash of a user operation, as `EntryPoint.getUserOpHash` of the version computes it (ERC-4337). The
 * signature is not part of it.
 *
 * @returns 32 bytes.
 * @throws {InvalidParamsError} If `initCode` or `paymasterAndData` is none that the entry point could take apart.
 */
export function userOperationHash(
  operation: UserOperation,
  { version, entryPoint, chainId }: OperationPlace,
): Uint8Array {
  const { initCode, paymasterAndData } = operation;
  const factory = splitInitCode(initCode);
  const paymaster = splitPaymasterAndData(paymasterAndData, version);
  const place = {
    entryPointAddress: lowerCase(entryPoint),
    // viem takes a number and makes a bigint of it; a number cannot hold every chain id exactly.
    chainId: chainId as unknown as number,
  };
  const common = { ...commonFieldsOf(operation), sender: lowerCase(operation.sender) };
  return fromHex(
    version === '0.6'
      ? getUserOperationHash({
          ...place,
          entryPointVersion: version,
          userOperation: { ...common, initCode, paymasterAndData },
        })
      : getUserOperationHash({
          ...place,
          entryPointVersion: version,
          userOperation: { ...common, ...factory, ...paymaster },
        }),
  );
}
