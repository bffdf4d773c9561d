import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';

import { ServiceFailedError, ServiceRefusedError } from '../core/errors';
import { type Hex, toHex } from '../core/eth/bytes';
import { bytesStruct, QuantityAnswerStruct } from '../core/schemas/hex';
import { TransactionReceiptStruct } from '../core/schemas/receipt';
import { type NodeClient } from './node';
import { nullable, optional, type } from '../core/schemas/struct';

/** The fee fields of a transaction, in wei per gas. */
export type Fees =
  | { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }
  | { readonly gasPrice: bigint };

const BlockFeeStruct = type({ baseFeePerGas: optional(nullable(QuantityAnswerStruct)) });

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
 */
export async function suggestedFees(node: NodeClient): Promise<Fees> {
  const { baseFeePerGas } = await node.ask('eth_getBlockByNumber', ['latest', false], BlockFeeStruct);
  if (baseFeePerGas === undefined || baseFeePerGas === null)
    return { gasPrice: BigInt(await node.ask('eth_gasPrice', [], QuantityAnswerStruct)) };
  const baseFee = BigInt(baseFeePerGas);
  const tip = await tipOf(node, baseFee);
  return { maxFeePerGas: 2n * baseFee + tip, maxPriorityFeePerGas: tip };
}

/** @returns The number of transactions that an address has sent, which is its next nonce. */
export const transactionCount = async (node: NodeClient, address: Hex, block: 'latest' | 'pending'): Promise<bigint> =>
  BigInt(await node.ask('eth_getTransactionCount', [address, block], QuantityAnswerStruct));

/** The fields of a transaction for gas estimation. */
export type Draft = { readonly from: Hex; readonly to?: Hex; readonly value: Hex; readonly data: Hex };

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

/**
 * `eth_sendRawTransaction`.
 *
 * @param raw - A signed transaction.
 * @returns The transaction hash, computed locally.
 * @throws {ServiceFailedError} If the node does not respond or returns another hash. The transaction may have been
 * sent.
 */
export async function sendTransaction(node: NodeClient, raw: Uint8Array): Promise<Hex> {
  const expected = toHex(keccak256(raw));
  const answered = await node.ask('eth_sendRawTransaction', [toHex(raw)], bytesStruct(32));
  if (answered.toLowerCase() !== expected)
    throw new ServiceFailedError(`The node returned the hash ${answered}, but the transaction's hash is ${expected}.`);
  return expected;
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
