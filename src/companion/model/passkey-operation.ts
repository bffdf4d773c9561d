import { type Address } from 'viem';

import { BundlerClient } from '../../clients/bundler';
import { fundsFor, nextNonce } from '../../clients/entry-point';
import { NodeClient } from '../../clients/node';
import { operationFees } from '../../clients/operation-fees';
import { PaymasterClient } from '../../clients/paymaster';
import { KINDS } from '../../core/kinds';
import { withVerificationGas } from '../../core/erc4337/packed-fields';
import { dummyOperationSignature, enoughFor } from '../../core/safe/owners/signatures';
import {
  draftOperation,
  gasLimitsOf,
  type Intent,
  type UserOperation,
  withGasMargin,
} from '../../core/erc4337/user-operation';
import { whoPays } from '../../core/networks/who-pays';
import { newProposal, PROPOSAL_ENTRY_POINT, type SafeProposal } from '../../core/schemas/safe-proposal';
import { type SafeState } from './safe';
import { type Chain } from './types';
import { numberOf } from './units';

/**
 * Prepares a user operation of a Safe without a wallet: nonce, fees, gas and sponsorship come from the network's
 * services. Without a sponsorship, the account pays the fee.
 *
 * @returns The operation, which its owners sign.
 * @throws If a service does not respond or does not sponsor the operation, the operation would fail, or the account
 *   cannot pay for it.
 */
export async function prepareOperation(
  safe: Address,
  { kinds, threshold }: Pick<SafeState, 'kinds' | 'threshold'>,
  intents: readonly Intent[],
  { rpcUrl, bundlerUrl, paymasterUrl, chainId: chainName }: Chain,
): Promise<SafeProposal> {
  if (bundlerUrl === undefined) throw new Error('This network has no bundler. Add one in Settings.');
  const chainId = numberOf(chainName);
  const domain = { version: '0.7', entryPoint: PROPOSAL_ENTRY_POINT, chainId } as const;
  const [node, bundler] = [new NodeClient({ url: rpcUrl }), new BundlerClient({ url: bundlerUrl })];
  const payer = whoPays({ sending: 'operation', hasPaymaster: paymasterUrl !== undefined, signatures: threshold });
  const paymaster =
    payer === 'paymaster' && paymasterUrl !== undefined ? new PaymasterClient({ url: paymasterUrl }) : undefined;
  const [, nonce, { fees }] = await Promise.all([
    node.assertChain(chainId),
    nextNonce(node, domain.entryPoint, safe),
    operationFees(node, bundler),
  ]);
  const unsponsored = draftOperation({
    sender: safe,
    nonce,
    initCode: '0x',
    callData: KINDS['safe-0.7'].encodeCalls(intents),
    signature: dummyOperationSignature(kinds, threshold),
  });
  const stub = await paymaster?.stubData(unsponsored, domain);
  const draft = { ...unsponsored, ...(stub && { paymasterAndData: stub.paymasterAndData }) };
  const estimate = await bundler.estimateGas(draft, domain);
  const limits = enoughFor(gasLimitsOf(estimate, withGasMargin), kinds, threshold);
  // The fees of the network may rise until everyone has signed.
  const maxFeePerGas = (threshold > 1 ? 2n : 1n) * fees.maxFeePerGas;
  const operation: UserOperation = { ...draft, ...fees, maxFeePerGas, ...limits };
  if (paymaster !== undefined && stub !== undefined) {
    const gas = stub.verificationGasOpen ? estimate.paymasterVerificationGasLimit : undefined;
    const { paymasterAndData: offered } = operation;
    const paymasterAndData =
      gas === undefined ? offered : withVerificationGas(offered, domain.version, withGasMargin(gas));
    const sponsored = { ...operation, paymasterAndData };
    return newProposal(
      stub.isFinal ? sponsored : { ...sponsored, paymasterAndData: await paymaster.data(sponsored, domain) },
      chainId,
    );
  }
  const { needed, balance, deposit } = await fundsFor(node, operation, domain);
  const value = intents.reduce((sum, intent) => sum + intent.value, 0n);
  if (balance + deposit < needed + value)
    throw new Error('The account does not have enough for the amount and the network fee.');
  return newProposal(operation, chainId);
}
