import { explainUserOperation, type OperationFacts } from '../../../core/decode/explain/user-operation';
import { userOperationHash } from '../../../core/erc4337/hash';
import { assertAsPrepared } from '../../../core/erc4337/prepared';
import { type UserOperation } from '../../../core/erc4337/user-operation';
import { InvalidParamsError, MethodNotSupportedError } from '../../../core/errors';
import { isSameAddress } from '../../../core/eth/address';
import { type Hex, toHex } from '../../../core/eth/bytes';
import { signatureToBytes } from '../../../core/eth/secp256k1';
import { AddressStruct } from '../../../core/schemas/address';
import { BytesStruct } from '../../../core/structs/hex';
import { optional, tuple } from '../../../core/structs/struct';
import { toUserOperation, UserOperationStruct } from '../../../core/schemas/user-operation';
import { defineOperationSigningMethod, type Reviewed } from './define-user-operation-method';
import { type OperationSigningContext } from './user-operation-context';
import { type OperationChain, type SmartAccount } from '../../network/operation-chain';

/** The entry point must be the one that the account's contract accepts. */
function assertEntryPoint(entryPoint: Hex | undefined, { domain }: OperationChain): void {
  if (entryPoint !== undefined && !isSameAddress(entryPoint, domain.entryPoint))
    throw new InvalidParamsError(
      'entryPoint',
      `must be ${domain.entryPoint}, the entry point ${domain.version} of this account on this network`,
    );
}

/** An operation may deploy only its own account, and delegate it only to the contract that it is to run. */
function assertInitCode({ initCode }: UserOperation, { initCode: own, delegate }: SmartAccount): void {
  if (initCode !== '0x' && initCode.toLowerCase() !== own)
    throw new InvalidParamsError(
      'userOperation.initCode',
      delegate === undefined
        ? "must be 0x, or this account's own initCode: its factory, owner and salt"
        : `must be 0x, or ${own}, which stands for the account's upgrade (EIP-7702)`,
    );
}

/**
 * Without the marker, the hash of an operation does not cover the delegate (EIP-7702), so the account must run it by
 * now.
 *
 * @throws {InvalidParamsError} If the account has no delegate.
 * @throws {ServiceFailedError} If it runs other code than that of its delegate, or the node does not respond.
 */
async function assertDelegated(
  { initCode }: UserOperation,
  { initCode: own, delegate }: SmartAccount,
  { senderState }: OperationChain,
): Promise<void> {
  if (delegate !== undefined && !(await senderState()).isDeployed && initCode === '0x')
    throw new InvalidParamsError(
      'userOperation.initCode',
      `must be ${own} while the account is not upgraded (EIP-7702)`,
    );
}

/**
 * MetaMask sends what is signed here at once, so one signature has to be enough. Before the account is deployed, it has
 * one owner.
 *
 * @throws {MethodNotSupportedError} If several owners must sign.
 * @throws {ServiceFailedError} If the account's own key is not an owner, or the node does not respond.
 */
async function assertSoleSigner(
  { initCode }: UserOperation,
  { owner }: SmartAccount,
  { senderState }: OperationChain,
): Promise<void> {
  if (owner === undefined || initCode !== '0x') return;
  const { coOwners } = await senderState();
  if (coOwners !== undefined)
    throw new MethodNotSupportedError(
      `userOperation.sender: ${coOwners.threshold} owners of this account must sign on this network`,
    );
}

/**
 * Hashes and explains an operation of the account. The same object is hashed and explained.
 *
 * @param wasPrepared - Returns whether the snap prepared the operation itself. Called after the operation has been
 * hashed.
 * @param more - What else the person has to know.
 * @returns `sign` signs the operation and returns the owner's 65 bytes r, s, v in the format of the account's kind.
 */
export async function reviewUserOperation(
  { account: { kind, delegate, owner }, chain: { domain, fundsFor }, signDigest }: OperationSigningContext,
  operation: UserOperation,
  wasPrepared: () => Promise<boolean>,
  more: Pick<OperationFacts, 'sponsorHost' | 'signaturesNeeded'> = {},
): Promise<Reviewed<Hex>> {
  const hash = userOperationHash(operation, domain);
  const isPrepared = await wasPrepared();
  const paysItself = operation.paymasterAndData === '0x';
  const calls = kind.decodeCalls(operation.callData);
  const isSending = calls?.some(({ value }) => value > 0n) === true;
  const funds = paysItself || isSending ? await fundsFor(operation) : undefined;
  const facts = {
    domain,
    accountTitle: kind.title,
    delegate,
    ownKey: owner,
    calls,
    wasPrepared: isPrepared,
    funds: funds && (paysItself ? funds : { ...funds, needed: 0n }),
    ...more,
  };
  return {
    hash,
    explain: (view) => explainUserOperation(operation, facts, view),
    sign: async () =>
      kind.wrapSignature(toHex(signatureToBytes(await signDigest(kind.signingDigest(hash, operation, domain))))),
  };
}

/**
 * `eth_signUserOperation` (specification 4.2, 2.6; ERC-4337): [user operation, entry point?] -> the signature. MetaMask
 * omits the entry point; the account's entry point on this network is then used.
 *
 * The operation must match this sender, network and entry point, deploy nothing except this account, and be unchanged
 * if it was prepared here. Anything else is rejected. The user is shown what the operation does.
 */
export const ethSignUserOperation = defineOperationSigningMethod({
  name: 'eth_signUserOperation',
  paramNames: ['userOperation', 'entryPoint'],
  params: tuple([UserOperationStruct, optional(AddressStruct)]),
  result: BytesStruct,
  decode: ([json, entryPoint]) => ({ operation: Object.freeze(toUserOperation(json)), entryPoint }),
  account: [0, 'sender'],
  review: async (context, { operation, entryPoint }) => {
    const { account, chain } = context;
    assertEntryPoint(entryPoint, chain);
    assertInitCode(operation, account);
    await assertDelegated(operation, account, chain);
    await assertSoleSigner(operation, account, chain);
    const reviewed = await reviewUserOperation(context, operation, async () =>
      assertAsPrepared(operation, await chain.prepared.list()),
    );
    return {
      ...reviewed,
      sign: async () => {
        await assertDelegated(operation, account, chain);
        return reviewed.sign();
      },
    };
  },
});
