import { splitPaymasterAndData, splitInitCode } from '../../core/erc4337/packed-fields';
import { isOfPrepared } from '../../core/erc4337/prepared';
import { type UserOperation } from '../../core/erc4337/user-operation';
import { type Hex } from '../../core/eth/bytes';
import { toUserOperation, UserOperationPatchStruct, UserOperationStruct } from '../../core/schemas/user-operation';
import { defineUserOperationMethod } from './define-user-operation-method';
import { type OperationChain, type Sponsor } from './user-operation-context';
import { tuple } from '../../core/schemas/struct';

/** Asks the service, unless its first answer, with which the operation was prepared, was final already. */
async function sponsored(
  operation: UserOperation,
  { place, prepared }: OperationChain,
  sponsor: Sponsor,
): Promise<Hex> {
  const final = (await prepared.list()).findLast(
    (entry) => entry.paymasterIsFinal && isOfPrepared(operation, place.chainId, entry),
  );
  if (final !== undefined) return final.paymasterAndData;
  if (operation.paymasterAndData !== '0x') return sponsor.data(operation);
  // Without the stub that the operation was prepared with, the paymaster's gas limits must be asked for again.
  const { paymasterAndData } = await sponsor.stubData(operation);
  return sponsor.data({ ...operation, paymasterAndData });
}

async function patchOperation(operation: UserOperation, chain: OperationChain) {
  const paymasterAndData = chain.sponsor === undefined ? '0x' : await sponsored(operation, chain, chain.sponsor);
  splitPaymasterAndData(paymasterAndData, chain.place.version, 'paymasterAndData');
  await chain.prepared.rememberPatch(operation, paymasterAndData);
  return { paymasterAndData } as const;
}

/**
 * `eth_patchUserOperation` (specification 4.2, 2.6, 2.7): [user operation] -> what may be changed about it:
 * `paymasterAndData`, from the chain's paymaster service (ERC-7677), or 0x where none is set up. The gas
 * limits stay as they were prepared.
 */
export const ethPatchUserOperation = defineUserOperationMethod({
  name: 'eth_patchUserOperation',
  paramsName: 'params',
  paramNames: ['userOperation'],
  params: tuple([UserOperationStruct]),
  result: UserOperationPatchStruct,
  read: ([json]) => toUserOperation(json),
  addresses: ({ sender }) => [{ field: 'userOperation.sender', address: sender }],
  review: async (context, operation) => {
    const chain = await context.chain();
    splitInitCode(operation.initCode);
    splitPaymasterAndData(operation.paymasterAndData, chain.place.version);
    return { run: () => patchOperation(operation, chain) };
  },
});
