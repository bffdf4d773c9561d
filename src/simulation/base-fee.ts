import { within } from '../clients/within';
import { ServiceSilentError } from '../core/errors';
import { QuantityAnswerStruct } from '../core/structs/hex';
import { type Infer, nullable, optional, type } from '../core/structs/struct';
import { type PreviewNode, TIME_LIMIT } from './node';

/** The parts of a block that decide the base fee of the next one. Networks without a base fee leave it out. */
const HeaderStruct = type({
  baseFeePerGas: optional(nullable(QuantityAnswerStruct)),
  gasUsed: QuantityAnswerStruct,
  gasLimit: QuantityAnswerStruct,
});

/** `ELASTICITY_MULTIPLIER` and `BASE_FEE_MAX_CHANGE_DENOMINATOR` of EIP-1559. */
const ELASTICITY = 2n;
const DENOMINATOR = 8n;

/** @returns The base fee of the block after this one, in wei per gas (EIP-1559); undefined if it has none. */
export function baseFeeAfter({ baseFeePerGas, ...gas }: Infer<typeof HeaderStruct>): bigint | undefined {
  if (baseFeePerGas === undefined || baseFeePerGas === null) return undefined;
  const [base, used, target] = [BigInt(baseFeePerGas), BigInt(gas.gasUsed), BigInt(gas.gasLimit) / ELASTICITY];
  if (target === 0n || used === target) return base;
  if (used < target) return base - (base * (target - used)) / target / DENOMINATOR;
  const rise = (base * (used - target)) / target / DENOMINATOR;
  return base + (rise > 1n ? rise : 1n);
}

/** A base fee in wei per gas; undefined if the network has none, or the node does not say; `late` if it is silent. */
export type BaseFee = bigint | undefined | 'late';

/**
 * The base fee of a network's next block by its latest one. A request's own fees say nothing about it: a site chooses
 * them. Never rejects, and takes 2.5 seconds at most.
 */
export const nextBaseFee = (node: PreviewNode): Promise<BaseFee> =>
  within<BaseFee>(
    TIME_LIMIT,
    (signal) => node.ask('eth_getBlockByNumber', ['latest', false], HeaderStruct, signal).then(baseFeeAfter),
    () => 'late',
  ).catch((error: unknown) => (error instanceof ServiceSilentError ? 'late' : undefined));
