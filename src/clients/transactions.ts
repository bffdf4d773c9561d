import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';

import { ServiceFailedError, ServiceRefusedError } from '../core/errors';
import { type Hex, toHex } from '../core/eth/bytes';
import { bytesStruct, QuantityAnswerStruct } from '../core/schemas/hex';
import { TransactionReceiptStruct } from '../core/schemas/receipt';
import { type NodeClient } from './node';
import { nullable, optional, type } from '../core/schemas/struct';

/** What a transaction offers to pay, wei per gas. */
export type Fees =
  | { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }
  | { readonly gasPrice: bigint };

const BlockFeeStruct = type({ baseFeePerGas: optional(nullable(QuantityAnswerStruct)) });

async function tipOf(node: NodeClient, baseFee: bigint): Promise<bigint> {
  try {
    return BigInt(await node.ask('eth_maxPriorityFeePerGas', [], QuantityAnswerStruct));
  } catch (error) {
    if (!(error instanceof ServiceRefusedError)) throw error;
    // Not every node has the method; what it takes for a price holds the tip as well.
    const price = BigInt(await node.ask('eth_gasPrice', [], QuantityAnswerStruct));
    return price > baseFee ? price - baseFee : 0n;
  }
}

/**
 * Fees for a transaction that is sent now: enough for six full blocks, as the base fee rises by an eighth with
 * each (EIP-1559). On a chain without base fee, the gas price.
 */
export async function suggestedFees(node: NodeClient): Promise<Fees> {
  const { baseFeePerGas } = await node.ask('eth_getBlockByNumber', ['latest', false], BlockFeeStruct);
  if (baseFeePerGas === undefined || baseFeePerGas === null)
    return { gasPrice: BigInt(await node.ask('eth_gasPrice', [], QuantityAnswerStruct)) };
  const baseFee = BigInt(baseFeePerGas);
  const tip = await tipOf(node, baseFee);
  return { maxFeePerGas: 2n * baseFee + tip, maxPriorityFeePerGas: tip };
}

/** @returns How many transactions an address has sent: its next nonce. */
export const transactionCount = async (node: NodeClient, address: Hex, block: 'latest' | 'pending'): Promise<bigint> =>
  BigInt(await node.ask('eth_getTransactionCount', [address, block], QuantityAnswerStruct));

/** A transaction as a node estimates it. */
export type Draft = { readonly from: Hex; readonly to?: Hex; readonly value: Hex; readonly data: Hex };

/** `eth_estimateGas`. @throws {ServiceRefusedError} If the transaction would fail. */
export const estimateGas = async (node: NodeClient, draft: Draft): Promise<bigint> =>
  BigInt(await node.ask('eth_estimateGas', [draft], QuantityAnswerStruct));

/**
 * `eth_sendRawTransaction`.
 *
 * @param raw - A signed transaction.
 * @returns Its hash.
 * @throws {ServiceFailedError} If the node answers the hash of another one.
 */
export async function sendTransaction(node: NodeClient, raw: Uint8Array): Promise<Hex> {
  const expected = toHex(keccak256(raw));
  const answered = await node.ask('eth_sendRawTransaction', [toHex(raw)], bytesStruct(32));
  if (answered.toLowerCase() !== expected)
    throw new ServiceFailedError(`The node answered ${answered}, but the transaction's hash is ${expected}.`);
  return expected;
}

/**
 * `eth_getTransactionReceipt`.
 *
 * @returns undefined until the transaction is included.
 * @throws {ServiceFailedError} If the node tells of another transaction.
 */
export async function transactionReceipt(node: NodeClient, hash: Hex) {
  const receipt = await node.ask('eth_getTransactionReceipt', [hash], TransactionReceiptStruct);
  if (receipt === null) return undefined;
  if (receipt.transactionHash.toLowerCase() !== hash.toLowerCase())
    throw new ServiceFailedError('The node answered with the receipt of another transaction.');
  return receipt;
}
