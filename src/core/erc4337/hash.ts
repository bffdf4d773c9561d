import { type SignedAuthorization } from 'viem';
import { getUserOperationHash } from 'viem/account-abstraction';

import { InvalidParamsError } from '../errors';
import { fromHex, type Hex, lowerCase } from '../eth/bytes';
import { type EntryPointVersion } from './entry-points';
import { isDelegationMarker, splitInitCode, splitPaymasterAndData } from './packed-fields';
import { commonFieldsOf, type UserOperation } from './user-operation';

/** The EIP-712 type behind `PACKED_USEROP_TYPEHASH` of EntryPoint. */
export const OPERATION_TYPE =
  'PackedUserOperation(address sender,uint256 nonce,bytes initCode,bytes callData,bytes32 accountGasLimits,uint256 preVerificationGas,bytes32 gasFees,bytes paymasterAndData)';

/**
 * The entry point and chain for which an operation is valid. Its hash is bound to this chain and this entry point.
 *
 * @example
 * ```ts
 * const domain: OperationDomain = {
 *   version: '0.7',
 *   entryPoint: '0x0000000071727De22E5E9d8BAf0edAc6f37da032',
 *   chainId: 1n,
 * };
 * ```
 */
export type OperationDomain = {
  readonly version: EntryPointVersion;
  readonly entryPoint: Hex;
  readonly chainId: bigint;
  /**
   * The contract whose code an externally owned account runs (EIP-7702). The marker in `initCode` stands for it in the
   * hash.
   */
  readonly delegate?: Hex | undefined;
};

/**
 * The hash of a user operation, as `EntryPoint.getUserOpHash` of that version computes it (ERC-4337). It does not cover
 * the signature.
 *
 * @returns 32 bytes.
 * @throws {InvalidParamsError} If the entry point could not split `initCode` or `paymasterAndData`, or if `initCode`
 * stands for a delegation that the account does not have.
 */
export function userOperationHash(
  operation: UserOperation,
  { version, entryPoint, chainId, delegate }: OperationDomain,
): Uint8Array {
  const { initCode, paymasterAndData } = operation;
  const factory = splitInitCode(initCode);
  const isDelegation = isDelegationMarker(initCode);
  if (isDelegation && (delegate === undefined || version === '0.6' || version === '0.7'))
    throw new InvalidParamsError(
      'userOperation.initCode',
      'must name a factory: this account is not upgraded (EIP-7702, entry point 0.8 or later)',
    );
  // viem reads the address only, but its type wants a signature.
  const authorization = isDelegation ? { authorization: { address: delegate } as SignedAuthorization } : {};
  const paymaster = splitPaymasterAndData(paymasterAndData, version);
  const fields = {
    entryPointAddress: lowerCase(entryPoint),
    // viem declares a number but converts it to bigint; a number cannot represent every chain id exactly.
    chainId: chainId as unknown as number,
  };
  const common = { ...commonFieldsOf(operation), sender: lowerCase(operation.sender) };
  return fromHex(
    version === '0.6'
      ? getUserOperationHash({
          ...fields,
          entryPointVersion: version,
          userOperation: { ...common, initCode, paymasterAndData },
        })
      : getUserOperationHash({
          ...fields,
          entryPointVersion: version,
          userOperation: { ...common, ...factory, ...paymaster, ...authorization },
        }),
  );
}
