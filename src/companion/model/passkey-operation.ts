import { type Address } from 'viem';

import { BundlerClient } from '../../clients/bundler';
import { fundsFor, nextNonce } from '../../clients/entry-point';
import { NodeClient } from '../../clients/node';
import { feesNow } from '../../clients/transactions';
import { KINDS } from '../../core/erc4337/kinds';
import { dummyOperationSignature, leastVerificationGas } from '../../core/erc4337/safe/owners/signatures';
import { mostItCosts } from '../../core/erc4337/cost';
import { gasLimitsOf, type Intent, type UserOperation } from '../../core/erc4337/user-operation';
import { newProposal, PROPOSAL_ENTRY_POINT, type SafeProposal } from '../../core/schemas/safe-proposal';
import { type SafeState } from './safe';
import { type Chain } from './types';
import { numberOf } from './units';

/** Adds a fifth to a gas limit, because estimates are exact only for one block. */
const withMargin = (gas: bigint): bigint => (gas * 6n + 4n) / 5n;

/** Bundlers require higher fees than nodes suggest. Unused fees are not charged. */
const raised = (fee: bigint): bigint => (fee * 3n + 1n) / 2n;

const most = (one: bigint, other = 0n): bigint => (one > other ? one : other);

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
  const [, nonce, { fees }, required] = await Promise.all([
    node.assertChain(chainId),
    nextNonce(node, place.entryPoint, safe),
    feesNow(node),
    bundler.gasPrice().catch(() => undefined),
  ]);
  const [maxFee, tip] =
    'gasPrice' in fees ? [fees.gasPrice, fees.gasPrice] : [fees.maxFeePerGas, fees.maxPriorityFeePerGas];
  const draft: UserOperation = {
    sender: safe,
    nonce,
    initCode: '0x',
    callData: KINDS['safe-0.7'].encodeCalls(intents),
    callGasLimit: 0n,
    verificationGasLimit: 0n,
    preVerificationGas: 0n,
    maxFeePerGas: 0n,
    maxPriorityFeePerGas: 0n,
    paymasterAndData: '0x',
    signature: dummyOperationSignature(kinds, threshold),
  };
  const estimate = gasLimitsOf(await bundler.estimateGas(draft, place), withMargin);
  const operation: UserOperation = {
    ...draft,
    ...estimate,
    verificationGasLimit: most(estimate.verificationGasLimit, leastVerificationGas(kinds, threshold)),
    maxFeePerGas: most(raised(maxFee), required?.maxFeePerGas),
    maxPriorityFeePerGas: most(raised(tip), required?.maxPriorityFeePerGas),
  };
  const { balance, deposit } = await fundsFor(node, operation, place);
  const value = intents.reduce((sum, intent) => sum + intent.value, 0n);
  if (balance + deposit < mostItCosts(operation, '0.7') + value)
    throw new Error('The account does not have enough for the amount and the network fee.');
  return newProposal(operation, chainId);
}
