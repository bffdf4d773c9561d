import { MAX_GAS_VALUE } from '../core/erc4337/user-operation';
import { ServiceFailedError } from '../core/errors';
import { type BundlerClient } from './bundler';
import { type NodeClient } from './node';
import { feesNow } from './transactions';

/** Bundlers require higher fees than nodes suggest, because they pay in advance. Unused fees are not charged. */
const withMargin = (fee: bigint): bigint => (fee * 3n + 1n) / 2n;

/** A bundler keeps what an operation pays beyond its costs, so it cannot raise the fees of the node more than this. */
const MOST_RAISED = 5n;

/** @returns What the bundler requires of a fee, within the limit. */
const raisedTo = (fee: bigint, required = 0n): bigint => {
  if (required <= fee) return fee;
  return required < fee * MOST_RAISED ? required : fee * MOST_RAISED;
};

/**
 * @returns The fees of an operation in wei per gas, and the latest block where the node says it.
 * @throws {ServiceFailedError} If the node does not respond, or suggests an impossible fee.
 */
export async function operationFees(node: NodeClient, bundler: BundlerClient) {
  const [{ fees, block }, required] = await Promise.all([
    feesNow(node),
    // Not every bundler has the method. One that does not respond is noticed when it estimates the gas.
    bundler.gasPrice().catch(() => undefined),
  ]);
  const [most, tip] =
    'gasPrice' in fees ? [fees.gasPrice, fees.gasPrice] : [fees.maxFeePerGas, fees.maxPriorityFeePerGas];
  const maxFeePerGas = raisedTo(withMargin(most), required?.maxFeePerGas);
  const raisedTip = raisedTo(withMargin(tip), required?.maxPriorityFeePerGas);
  if (maxFeePerGas > MAX_GAS_VALUE)
    throw new ServiceFailedError('The node suggests a fee above 2^120-1 wei per gas. Nothing was signed.');
  return { fees: { maxFeePerGas, maxPriorityFeePerGas: raisedTip < maxFeePerGas ? raisedTip : maxFeePerGas }, block };
}
