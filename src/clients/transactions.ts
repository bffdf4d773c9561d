import { ServiceFailedError, ServiceRefusedError } from '../core/errors';
import { type Hex } from '../core/eth/bytes';
import { bytesStruct, QuantityAnswerStruct } from '../core/structs/hex';
import { TransactionReceiptStruct } from '../core/schemas/receipt';
import { type NodeClient } from './node';
import { wordingOf } from './node-wordings';
import { nullable, optional, type } from '../core/structs/struct';

/** The fee fields of a transaction, in wei per gas. */
export type Fees =
  | { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }
  | { readonly gasPrice: bigint };

const BlockFeeStruct = type({
  number: optional(nullable(QuantityAnswerStruct)),
  baseFeePerGas: optional(nullable(QuantityAnswerStruct)),
});

async function tipOf(node: NodeClient, baseFee: bigint): Promise<bigint> {
  try {
    return BigInt(await node.ask('eth_maxPriorityFeePerGas', [], QuantityAnswerStruct));
  } catch (error) {
    if (!(error instanceof ServiceRefusedError)) throw error;
    // Not every node has the method. Its gas price includes the tip.
    const price = BigInt(await node.ask('eth_gasPrice', [], QuantityAnswerStruct));
    return price > baseFee ? price - baseFee : 0n;
  }
}

/**
 * Suggests fees for a transaction sent now. They cover six full blocks, since the base fee rises by an eighth with each
 * (EIP-1559). On a chain without a base fee, this is the gas price.
 *
 * @returns Also the number of the latest block, if the node says it.
 */
export async function feesNow(node: NodeClient): Promise<{ readonly fees: Fees; readonly block: bigint | undefined }> {
  const { baseFeePerGas, number } = await node.ask('eth_getBlockByNumber', ['latest', false], BlockFeeStruct);
  const block = typeof number === 'string' || typeof number === 'number' ? BigInt(number) : undefined;
  if (baseFeePerGas === undefined || baseFeePerGas === null)
    return { fees: { gasPrice: BigInt(await node.ask('eth_gasPrice', [], QuantityAnswerStruct)) }, block };
  const baseFee = BigInt(baseFeePerGas);
  const tip = await tipOf(node, baseFee);
  return { fees: { maxFeePerGas: 2n * baseFee + tip, maxPriorityFeePerGas: tip }, block };
}

/** The fees of {@link feesNow}. */
export const suggestedFees = async (node: NodeClient): Promise<Fees> => (await feesNow(node)).fees;

/** @returns The number of transactions that an address has sent by a block, which is its next nonce then. */
export const transactionCount = async (
  node: NodeClient,
  address: Hex,
  block: Hex | 'latest' | 'pending',
): Promise<bigint> => BigInt(await node.ask('eth_getTransactionCount', [address, block], QuantityAnswerStruct));

/** The fields of a transaction for gas estimation. */
export type Draft = {
  readonly from: Hex;
  readonly to?: Hex;
  readonly value: Hex;
  readonly data: Hex;
  /** Delegations in JSON form (EIP-7702). */
  readonly authorizationList?: readonly Readonly<Record<string, Hex>>[];
};

/**
 * `eth_estimateGas`.
 *
 * @param overrides - The code that addresses have for the estimate, by address.
 * @returns The estimate in gas.
 * @throws {ServiceRefusedError} If the transaction would fail.
 */
export const estimateGas = async (
  node: NodeClient,
  draft: Draft,
  overrides?: Readonly<Record<Hex, { readonly code: Hex }>>,
): Promise<bigint> => {
  const params = overrides === undefined ? [draft] : [draft, 'latest', overrides];
  return BigInt(await node.ask('eth_estimateGas', params, QuantityAnswerStruct));
};

const KnownStruct = type({ hash: bytesStruct(32) });

/** @returns Whether the node has a transaction, in its pool or in a block. False if it does not answer. */
export const hasTransaction = (node: NodeClient, hash: Hex): Promise<boolean> =>
  node.ask('eth_getTransactionByHash', [hash], KnownStruct).then(
    (known) => known.hash.toLowerCase() === hash,
    () => false,
  );

/**
 * `eth_sendRawTransaction`. A node may have a transaction and refuse it, because it was sent twice on the way; so
 * whatever goes wrong, the node is asked for it by its hash.
 *
 * @param raw - A signed transaction.
 * @param hash - Its hash.
 * @param isNext - Whether its nonce was free when the node was last asked.
 * @returns Whether the node has it. If false, it may have been sent.
 * @throws {ServiceRefusedError} If the node refused it and does not have it.
 */
export async function sendTransaction(node: NodeClient, raw: Hex, hash: Hex, isNext: boolean): Promise<boolean> {
  try {
    const answered = await node.ask('eth_sendRawTransaction', [raw], bytesStruct(32));
    if (answered.toLowerCase() === hash) return true;
    return await hasTransaction(node, hash);
  } catch (error) {
    if (!(error instanceof ServiceFailedError || error instanceof ServiceRefusedError)) throw error;
    if (await hasTransaction(node, hash)) return true;
    if (error instanceof ServiceFailedError) return false;
    const wording = wordingOf(error.error);
    if (wording === undefined || (wording === 'nonce-used' && !isNext)) throw error;
    return wording === 'known';
  }
}

/**
 * `eth_getTransactionReceipt`.
 *
 * @returns The receipt, or undefined until the transaction is included.
 * @throws {ServiceFailedError} If the node returns the receipt of another transaction.
 */
export async function transactionReceipt(node: NodeClient, hash: Hex) {
  const receipt = await node.ask('eth_getTransactionReceipt', [hash], TransactionReceiptStruct);
  if (receipt === null) return undefined;
  if (receipt.transactionHash.toLowerCase() !== hash.toLowerCase())
    throw new ServiceFailedError('The node returned the receipt of another transaction.');
  return receipt;
}
