import { type Address } from 'viem';

import { BundlerClient } from '../../clients/bundler';
import { fundsFor, nextNonce } from '../../clients/entry-point';
import { NodeClient } from '../../clients/node';
import { operationFees } from '../../clients/operation-fees';
import { KINDS } from '../../core/erc4337/kinds';
import { dummyOperationSignature, enoughFor } from '../../core/erc4337/safe/owners/signatures';
import { mostItCosts } from '../../core/erc4337/cost';
import {
  draftOperation,
  gasLimitsOf,
  type Intent,
  type UserOperation,
  withGasMargin,
} from '../../core/erc4337/user-operation';
import { newProposal, PROPOSAL_ENTRY_POINT, type SafeProposal } from '../../core/schemas/safe-proposal';
import { type SafeState } from './safe';
import { type Chain } from './types';
import { numberOf } from './units';

/**
 * Prepares a user operation of a Safe without a wallet: nonce, fees and gas come from the network's services. The
 * account pays the fee.
 *
 * @returns The operation, which its owners sign.
 * @throws If a service does not respond, the operation would fail, or the account cannot pay for it.
 */
export async function prepareOperation(
  safe: Address,
  { kinds, threshold }: SafeState,
  intents: readonly Intent[],
  { rpcUrl, bundlerUrl, chainId: chainName }: Chain,
): Promise<SafeProposal> {
  if (bundlerUrl === undefined) throw new Error('This network has no bundler. Add one in Settings.');
  const chainId = numberOf(chainName);
  const place = { version: '0.7', entryPoint: PROPOSAL_ENTRY_POINT, chainId } as const;
  const [node, bundler] = [new NodeClient({ url: rpcUrl }), new BundlerClient({ url: bundlerUrl })];
  const [, nonce, { fees }] = await Promise.all([
    node.assertChain(chainId),
    nextNonce(node, place.entryPoint, safe),
    operationFees(node, bundler),
  ]);
  const draft = draftOperation({
    sender: safe,
    nonce,
    initCode: '0x',
    callData: KINDS['safe-0.7'].encodeCalls(intents),
    signature: dummyOperationSignature(kinds, threshold),
  });
  const limits = gasLimitsOf(await bundler.estimateGas(draft, place), withGasMargin);
  // The fees of the network may rise until everyone has signed.
  const maxFeePerGas = (threshold > 1 ? 2n : 1n) * fees.maxFeePerGas;
  const operation: UserOperation = { ...draft, ...fees, maxFeePerGas, ...enoughFor(limits, kinds, threshold) };
  const { balance, deposit } = await fundsFor(node, operation, place);
  const value = intents.reduce((sum, intent) => sum + intent.value, 0n);
  if (balance + deposit < mostItCosts(operation, '0.7') + value)
    throw new Error('The account does not have enough for the amount and the network fee.');
  return newProposal(operation, chainId);
}
