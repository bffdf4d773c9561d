import { dummyAuthorization } from '../../../core/erc4337/dummy-signature';
import { withVerificationGas } from '../../../core/erc4337/packed-fields';
import { preparedOperation } from '../../../core/erc4337/prepared';
import { dummyOperationSignature, enoughFor } from '../../../core/safe/owners/signatures';
import {
  draftOperation,
  type GasLimits,
  gasLimitsOf,
  type Intent,
  type UserOperation,
  withGasMargin,
} from '../../../core/erc4337/user-operation';
import { whoPays } from '../../../core/networks/who-pays';
import { type Hex, quantityToHex } from '../../../core/eth/bytes';
import { IntentsStruct, toIntents, UserOperationDetailsStruct } from '../../../core/schemas/user-operation';
import { defineUserOperationMethod } from './define-user-operation-method';
import {
  type CoOwners,
  type EstimatedGas,
  type OperationChain,
  type SmartAccount,
} from '../../network/operation-chain';

function limitsWith(estimate: GasLimits<bigint>, coOwners: CoOwners | undefined): GasLimits<bigint> {
  const limits = gasLimitsOf(estimate, withGasMargin);
  return coOwners === undefined ? limits : enoughFor(limits, coOwners.owners, coOwners.threshold);
}

/** A user operation that executes intents, before fees and signature are added. */
export type PreparedUserOperation = {
  /**
   * Gas limits and fees are zero. The paymaster data is a stub, and the signatures, also that of an authorization, are
   * dummies of the real length.
   */
  readonly draft: UserOperation;
  /** Undefined if the bundler did not respond. */
  readonly gasLimits: GasLimits<bigint> | undefined;
  /** Whether the paymaster data is already final, so that no patch is needed. */
  readonly paymasterIsFinal: boolean;
  /** Absent if the account's own key is enough. */
  readonly coOwners?: CoOwners;
};

/** The operation before gas and fees are known. It is not signed. */
async function draftOf(
  { address, kind, initCode, delegate }: SmartAccount,
  { domain, senderState }: OperationChain,
  callData: Hex,
): Promise<{ readonly draft: UserOperation; readonly coOwners?: CoOwners }> {
  const { nonce, isDeployed, authorizationNonce, coOwners } = await senderState();
  const draft = {
    ...draftOperation({
      sender: address,
      nonce,
      initCode: isDeployed ? '0x' : initCode,
      callData,
      signature:
        coOwners === undefined ? kind.dummySignature : dummyOperationSignature(coOwners.owners, coOwners.threshold),
    }),
    ...(delegate !== undefined &&
      authorizationNonce !== undefined && {
        authorization: dummyAuthorization({ chainId: domain.chainId, address: delegate, nonce: authorizationNonce }),
      }),
  };
  return { draft, ...(coOwners && { coOwners }) };
}

/** Fills in the estimated verification gas of the paymaster, if the service left it to the estimate. */
function withPaymasterGas(paymasterAndData: Hex, { domain }: OperationChain, estimate: EstimatedGas | undefined): Hex {
  const gas = estimate?.paymasterVerificationGasLimit;
  if (domain.version === '0.6' || gas === undefined) return paymasterAndData;
  return withVerificationGas(paymasterAndData, domain.version, withGasMargin(gas));
}

/**
 * Prepares one user operation that executes all intents. Several intents form one batch.
 *
 * The nonce is the entry point's next one for key 0. `initCode` is set only if the account has no code. Gas limits are
 * the bundler's estimates plus a fifth. Nothing is stored, so preparing again gives the same result until the chain
 * state changes.
 *
 * @throws {InvalidIntentError} If the account cannot execute an intent.
 * @throws {ServiceFailedError} If the node does not respond correctly.
 * @throws {ServiceRefusedError} If the operation would fail according to the bundler, or the paymaster does not sponsor
 * it.
 */
export async function prepareUserOperation(
  account: SmartAccount,
  chain: OperationChain,
  intents: readonly Intent[],
): Promise<PreparedUserOperation> {
  const { draft, coOwners } = await draftOf(account, chain, account.kind.encodeCalls(intents));
  const payer = whoPays({
    sending: 'operation',
    hasPaymaster: chain.sponsor !== undefined,
    signatures: coOwners?.threshold ?? 1,
  });
  const stub = payer === 'paymaster' ? await chain.sponsor?.stubData(draft) : undefined;
  const estimate = await chain.estimateGas({ ...draft, paymasterAndData: stub?.paymasterAndData ?? '0x' });
  const paymasterAndData =
    stub?.verificationGasOpen === true
      ? withPaymasterGas(stub.paymasterAndData, chain, estimate)
      : (stub?.paymasterAndData ?? '0x');
  return {
    draft: { ...draft, paymasterAndData },
    gasLimits: estimate && limitsWith(estimate, coOwners),
    paymasterIsFinal: stub?.isFinal ?? coOwners !== undefined,
    ...(coOwners && { coOwners }),
  };
}

/**
 * `eth_prepareUserOperation` (specification 4.2, 2.4, 2.5): one or more intents -> the details of one user operation
 * that executes them. If the bundler does not respond, the gas limits are omitted.
 */
export const ethPrepareUserOperation = defineUserOperationMethod({
  name: 'eth_prepareUserOperation',
  paramsName: 'intents',
  paramNames: [],
  params: IntentsStruct,
  result: UserOperationDetailsStruct,
  decode: toIntents,
  run: async ({ account, chain: find }, intents) => {
    const chain = await find();
    const prepared = await prepareUserOperation(account, chain, intents);
    await chain.prepared.remember(preparedOperation(prepared, chain.domain.chainId));
    return { ...prepared, bundlerUrl: chain.bundlerUrl };
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
