import { joinPaymasterAndData, splitPaymasterAndData } from '../../core/erc4337/packed-fields';
import { preparedOperation, type PreparedGasLimits } from '../../core/erc4337/prepared';
import { gasLimitsOf, type Intent, type UserOperation } from '../../core/erc4337/user-operation';
import { type Hex, quantityToHex } from '../../core/eth/bytes';
import { IntentsStruct, toIntents, UserOperationDetailsStruct } from '../../core/schemas/user-operation';
import { defineUserOperationMethod } from './define-user-operation-method';
import { type EstimatedGas, type OperationChain, type UserOperationContext } from './user-operation-context';

/** Estimates are exact for the block they were made on: a fifth is added for the next ones. */
const withMargin = (gas: bigint): bigint => (gas * 6n + 4n) / 5n;

/** The operation before gas and fees are known; nothing of it is signed. */
async function draftOf(
  { account: { address, kind, deployment } }: UserOperationContext,
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

/** Puts the estimate of the paymaster's gas where the service left it open. */
function withPaymasterGas(paymasterAndData: Hex, { place }: OperationChain, estimate: EstimatedGas | undefined): Hex {
  const gas = estimate?.paymasterVerificationGasLimit;
  if (place.version === '0.6' || gas === undefined) return paymasterAndData;
  const fields = splitPaymasterAndData(paymasterAndData, place.version);
  if (fields === undefined) return paymasterAndData;
  return joinPaymasterAndData({ ...fields, paymasterVerificationGasLimit: withMargin(gas) });
}

const limitsOf = (estimate: EstimatedGas): PreparedGasLimits =>
  gasLimitsOf(estimate, (gas) => quantityToHex(withMargin(gas)));

async function prepareOperation(context: UserOperationContext, chain: OperationChain, intents: readonly Intent[]) {
  const draft = await draftOf(context, chain, context.account.kind.encodeCalls(intents));
  const stub = await chain.sponsor?.stubData(draft);
  const estimate = await chain.estimateGas({ ...draft, paymasterAndData: stub?.paymasterAndData ?? '0x' });
  const paymasterAndData =
    stub?.verificationGasOpen === true
      ? withPaymasterGas(stub.paymasterAndData, chain, estimate)
      : (stub?.paymasterAndData ?? '0x');
  const gasLimits = estimate === undefined ? undefined : limitsOf(estimate);
  await chain.prepared.remember(
    preparedOperation({ ...draft, paymasterAndData }, chain.place.chainId, stub?.isFinal ?? false, gasLimits),
  );
  return {
    callData: draft.callData,
    initCode: draft.initCode,
    nonce: quantityToHex(draft.nonce),
    dummySignature: draft.signature,
    dummyPaymasterAndData: paymasterAndData,
    bundlerUrl: chain.bundlerUrl,
    ...(gasLimits !== undefined && { gasLimits }),
  };
}

/**
 * `eth_prepareUserOperation` (specification 4.2, 2.4, 2.5): one or more intents -> the details of one user
 * operation that carries them out, several of them in one batch.
 *
 * The nonce is the entry point's for key 0. `initCode` is there only if the account has no code. Gas limits
 * are the bundler's estimates and a fifth; without an answer of the bundler they are left out. Preparing
 * again gives the same until the chain moves on.
 */
export const ethPrepareUserOperation = defineUserOperationMethod({
  name: 'eth_prepareUserOperation',
  paramsName: 'intents',
  paramNames: [],
  params: IntentsStruct,
  result: UserOperationDetailsStruct,
  read: toIntents,
  addresses: () => [],
  review: async (context, intents) => {
    const chain = await context.chain();
    return { run: () => prepareOperation(context, chain, intents) };
  },
});
