/** How something that is pending is replaced: by the same with a higher fee, or by something without an effect. */
export const REPLACEMENTS = ['speed-up', 'cancel'] as const;
export type Replacement = (typeof REPLACEMENTS)[number];

/** Wei per gas. */
export type GasFees = { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint };

/** A tenth more, rounded up. */
const raised = (fee: bigint): bigint => (fee * 11n + 9n) / 10n;

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/**
 * The fees with which nodes and bundlers replace what has the same nonce: at least a tenth more for both (geth,
 * ERC-4337 bundlers), and what the network takes now.
 *
 * @param before - The fees of what is replaced.
 * @param now - The fees that are suggested now.
 */
export function replacementFees(before: GasFees, now: GasFees): GasFees {
  const maxPriorityFeePerGas = larger(raised(before.maxPriorityFeePerGas), now.maxPriorityFeePerGas);
  const maxFeePerGas = larger(raised(before.maxFeePerGas), now.maxFeePerGas);
  return { maxFeePerGas: larger(maxFeePerGas, maxPriorityFeePerGas), maxPriorityFeePerGas };
}
