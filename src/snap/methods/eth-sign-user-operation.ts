import { userOperationHash } from '../../core/erc4337/hash';
import { assertAsPrepared } from '../../core/erc4337/prepared';
import { type UserOperation } from '../../core/erc4337/user-operation';
import { InvalidParamsError } from '../../core/errors';
import { isSameAddress } from '../../core/eth/address';
import { type Hex, toHex } from '../../core/eth/bytes';
import { signatureToBytes } from '../../core/eth/secp256k1';
import { explainUserOperation } from '../../core/decode/user-operation';
import { AddressStruct } from '../../core/schemas/address';
import { BytesStruct } from '../../core/schemas/hex';
import { toUserOperation, UserOperationStruct } from '../../core/schemas/user-operation';
import { defineUserOperationMethod } from './define-user-operation-method';
import { type OperationChain, type SmartAccount } from './user-operation-context';
import { optional, tuple } from '../../core/schemas/struct';

/** The operation must be one of this account, at the entry point that its contract obeys. */
function assertOfAccount(
  { initCode }: UserOperation,
  entryPoint: Hex | undefined,
  { kind, deployment }: SmartAccount,
  { place }: OperationChain,
): void {
  if (entryPoint !== undefined && !isSameAddress(entryPoint, place.entryPoint))
    throw new InvalidParamsError(
      'entryPoint',
      `must be ${place.entryPoint}, the entry point ${place.version} that this account answers to on this chain`,
    );
  if (initCode !== '0x' && initCode.toLowerCase() !== kind.initCode(deployment))
    throw new InvalidParamsError(
      'userOperation.initCode',
      "must be 0x, or this account's own: its factory, its owner and its salt",
    );
}

/**
 * `eth_signUserOperation` (specification 4.2, 2.6; ERC-4337): [user operation, entry point?] -> the signature:
 * the owner's 65 bytes r, s, v, as the kind of account takes them. MetaMask leaves the entry point out; it is the account's on the chain then.
 *
 * What is signed is of this sender, chain and entry point, deploys nothing but this account, and is what was
 * prepared. Everything else is refused, and the person is shown what the operation does.
 */
export const ethSignUserOperation = defineUserOperationMethod({
  name: 'eth_signUserOperation',
  paramsName: 'params',
  paramNames: ['userOperation', 'entryPoint'],
  params: tuple([UserOperationStruct, optional(AddressStruct)]),
  result: BytesStruct,
  read: ([json, entryPoint]) => ({ operation: Object.freeze(toUserOperation(json)), entryPoint }),
  addresses: ({ operation }) => [{ field: 'userOperation.sender', address: operation.sender }],
  review: async ({ account, now, chain: chainOf, signDigest }, { operation, entryPoint }) => {
    const chain = await chainOf();
    assertOfAccount(operation, entryPoint, account, chain);
    const hash = userOperationHash(operation, chain.place);
    const wasPrepared = assertAsPrepared(operation, await chain.prepared.list());
    const { kind } = account;
    const paysItself = operation.paymasterAndData === '0x';
    const funds = paysItself ? await chain.fundsFor(operation) : undefined;
    return {
      explanation: explainUserOperation(operation, {
        place: chain.place,
        accountTitle: kind.title,
        calls: kind.decodeCalls(operation.callData),
        wasPrepared,
        funds,
        now,
      }),
      run: async () =>
        kind.wrapSignature(toHex(signatureToBytes(await signDigest(kind.signingDigest(hash, operation, chain.place))))),
    };
  },
});
