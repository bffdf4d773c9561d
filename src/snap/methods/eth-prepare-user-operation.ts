import { joinPaymasterAndData, splitPaymasterAndData } from '../../core/erc4337/packed-fields';
import { preparedOperation } from '../../core/erc4337/prepared';
import { type GasLimits, gasLimitsOf, type Intent, type UserOperation } from '../../core/erc4337/user-operation';
import { type Hex, quantityToHex } from '../../core/eth/bytes';
import { IntentsStruct, toIntents, UserOperationDetailsStruct } from '../../core/schemas/user-operation';
import { defineUserOperationMethod } from './define-user-operation-method';
import { type EstimatedGas, type OperationChain, type SmartAccount } from './user-operation-context';

/** Estimates are exact for one block, so a fifth is added for the blocks that follow. */
const withMargin = (gas: bigint): bigint => (gas * 6n + 4n) / 5n;

/** A user operation that carries out intents, before fees and signature. */
export type PreparedUserOperation = {
  /** Without gas limits and fees; the paymaster's data is a stub, the signature a dummy of the real length. */
  readonly draft: UserOperation;
  /** Undefined if the bundler did not answer. */
  readonly gasLimits: GasLimits<bigint> | undefined;
  /** Whether the paymaster's stub data is final, so that no patch is needed. */
  readonly paymasterIsFinal: boolean;
};

/** The operation before gas and fees are known; nothing of it is signed. */
async function draftOf(
  { address, kind, deployment }: SmartAccount,
  { senderState }: OperationChain,
  callData: Hex,
): Promise<UserOperation> {
  const { nonce, isDeployed } = await senderState();
  return {
    sender: address,
    nonce,
    initCode: isDeployed ? '0x' : kind.initCode(deployment),
    callData,
    callGasLimit: 0n,
    verificationGasLimit: 0n,
    preVerificationGas: 0n,
    maxFeePerGas: 0n,
    maxPriorityFeePerGas: 0n,
    paymasterAndData: '0x',
    signature: kind.dummySignature,
  };
}

/** Fills in the estimate of the paymaster's gas where the service left it open. */
function withPaymasterGas(paymasterAndData: Hex, { place }: OperationChain, estimate: EstimatedGas | undefined): Hex {
  const gas = estimate?.paymasterVerificationGasLimit;
  if (place.version === '0.6' || gas === undefined) return paymasterAndData;
  const fields = splitPaymasterAndData(paymasterAndData, place.version);
  if (fields === undefined) return paymasterAndData;
  return joinPaymasterAndData({ ...fields, paymasterVerificationGasLimit: withMargin(gas) });
}

/**
 * Prepares one user operation that carries out all intents, in one batch if there are several.
 *
 * The nonce is the entry point's for key 0. `initCode` is there only if the account has no code. Gas limits are the
 * bundler's estimates plus a fifth. Nothing is stored: preparing again gives the same until the chain moves on.
 *
 * @throws {InvalidParamsError} If the account cannot carry out the intents.
 * @throws {ServiceFailedError} If the node does not answer.
 * @throws {ServiceRefusedError} If the bundler says that the operation would fail, or the paymaster does not sponsor it.
 */
export async function prepareUserOperation(
  account: SmartAccount,
  chain: OperationChain,
  intents: readonly Intent[],
): Promise<PreparedUserOperation> {
  const draft = await draftOf(account, chain, account.kind.encodeCalls(intents));
  const stub = await chain.sponsor?.stubData(draft);
  const estimate = await chain.estimateGas({ ...draft, paymasterAndData: stub?.paymasterAndData ?? '0x' });
  const paymasterAndData =
    stub?.verificationGasOpen === true
      ? withPaymasterGas(stub.paymasterAndData, chain, estimate)
      : (stub?.paymasterAndData ?? '0x');
  return {
    draft: { ...draft, paymasterAndData },
    gasLimits: estimate && gasLimitsOf(estimate, withMargin),
    paymasterIsFinal: stub?.isFinal ?? false,
  };
}

/**
 * `eth_prepareUserOperation` (specification 4.2, 2.4, 2.5): one or more intents -> the details of one user
 * operation that carries them out. Without an answer from the bundler the gas limits are left out.
 */
export const ethPrepareUserOperation = defineUserOperationMethod({
  name: 'eth_prepareUserOperation',
  paramsName: 'intents',
  paramNames: [],
  params: IntentsStruct,
  result: UserOperationDetailsStruct,
  decode: toIntents,
  review: async (context, intents) => {
    const chain = await context.chain();
    return {
      run: async () => {
        const prepared = await prepareUserOperation(context.account, chain, intents);
        await chain.prepared.remember(preparedOperation(prepared, chain.place.chainId));
        return { ...prepared, bundlerUrl: chain.bundlerUrl };
      },
    };
  },
  encode: ({ draft, gasLimits, bundlerUrl }) => ({
    callData: draft.callData,
    initCode: draft.initCode,
    nonce: quantityToHex(draft.nonce),
    dummySignature: draft.signature,
    dummyPaymasterAndData: draft.paymasterAndData,
    bundlerUrl,
    ...(gasLimits !== undefined && { gasLimits: gasLimitsOf(gasLimits, quantityToHex) }),
  }),
});
