import { isDelegationMarker, splitInitCode, splitPaymasterAndData } from '../../../core/erc4337/packed-fields';
import { isOfPrepared } from '../../../core/erc4337/prepared';
import { type UserOperation } from '../../../core/erc4337/user-operation';
import { InvalidParamsError } from '../../../core/errors';
import { type Hex } from '../../../core/eth/bytes';
import { tuple } from '../../../core/structs/struct';
import { toUserOperation, UserOperationPatchStruct, UserOperationStruct } from '../../../core/schemas/user-operation';
import { defineUserOperationMethod } from './define-user-operation-method';
import { type OperationChain } from '../../network/operation-chain';

/**
 * Requests the final paymaster data of an operation from the network's paymaster service (ERC-7677).
 *
 * @param operation - The operation, with the stub data from its preparation or without any.
 * @returns The final `paymasterAndData`; 0x if no paymaster service is set up.
 * @throws {ServiceRefusedError} If the service does not sponsor the operation.
 */
export async function paymasterDataFor(operation: UserOperation, { domain, sponsor }: OperationChain): Promise<Hex> {
  if (sponsor === undefined) return '0x';
  // The stub data contains the paymaster's gas limits, so an operation without it needs the stub first.
  const stub =
    operation.paymasterAndData === '0x'
      ? (await sponsor.stubData(operation)).paymasterAndData
      : operation.paymasterAndData;
  const paymasterAndData = await sponsor.data({ ...operation, paymasterAndData: stub });
  splitPaymasterAndData(paymasterAndData, domain.version, 'paymasterAndData');
  return paymasterAndData;
}

/** Reuses the stub data of the prepared operation if the service marked it as final. */
async function patch(operation: UserOperation, chain: OperationChain): Promise<Hex> {
  const final = (await chain.prepared.list()).findLast(
    (entry) => entry.paymasterIsFinal && isOfPrepared(operation, chain.domain.chainId, entry),
  );
  const paymasterAndData =
    chain.sponsor !== undefined && final !== undefined
      ? final.paymasterAndData
      : await paymasterDataFor(operation, chain);
  await chain.prepared.rememberPatch(operation, paymasterAndData);
  return paymasterAndData;
}

/**
 * `eth_patchUserOperation` (specification 4.2, 2.6, 2.7): [user operation] -> the fields that may change, which is only
 * `paymasterAndData`. Gas limits stay as prepared.
 */
export const ethPatchUserOperation = defineUserOperationMethod({
  name: 'eth_patchUserOperation',
  paramNames: ['userOperation'],
  params: tuple([UserOperationStruct]),
  result: UserOperationPatchStruct,
  decode: ([json]) => toUserOperation(json),
  account: [0, 'sender'],
  run: async ({ account, chain: find }, operation) => {
    const chain = await find();
    splitInitCode(operation.initCode);
    if (isDelegationMarker(operation.initCode) && account.delegate === undefined)
      throw new InvalidParamsError(
        'userOperation.initCode',
        'must name a factory: this account is not upgraded (EIP-7702)',
      );
    splitPaymasterAndData(operation.paymasterAndData, chain.domain.version);
    return patch(operation, chain);
  },
  encode: (paymasterAndData) => ({ paymasterAndData }),
});
