import { type Hash, isHex, parseEventLogs, type TransactionReceipt } from 'viem';
import { getTransactionReceipt } from 'viem/actions';

import { ENTRY_POINTS } from '../../core/erc4337/entry-points';
import { isSameAddress, ZERO_ADDRESS } from '../../core/eth/address';
import { nodeOf } from './node';
import { type Chain } from './types';

/** The same in every entry point (ERC-4337). */
const OPERATION_EVENT = [
  {
    type: 'event',
    name: 'UserOperationEvent',
    inputs: [
      { name: 'userOpHash', type: 'bytes32', indexed: true },
      { name: 'sender', type: 'address', indexed: true },
      { name: 'paymaster', type: 'address', indexed: true },
      { name: 'nonce', type: 'uint256' },
      { name: 'success', type: 'bool' },
      { name: 'actualGasCost', type: 'uint256' },
      { name: 'actualGasUsed', type: 'uint256' },
    ],
  },
] as const;

/** A user operation, as its entry point logged it. */
export type IncludedOperation = {
  readonly hash: Hash;
  readonly sender: string;
  /** Absent if the sender paid. */
  readonly paymaster?: string;
  /** The fee that was paid, in wei. */
  readonly cost: bigint;
  readonly nonce: bigint;
  readonly hasSucceeded: boolean;
};

/** @returns Whether an address is an entry point: a known one, or the network's. */
export const isEntryPoint = (address: string, { entryPoint }: Chain): boolean =>
  [...Object.values(ENTRY_POINTS), ...(entryPoint === undefined ? [] : [entryPoint])].some((each) =>
    isSameAddress(each, address),
  );

/**
 * @returns The user operations that a transaction included. Any contract can log the same event; only entry points
 * count.
 */
export const operationsIn = ({ logs }: Pick<TransactionReceipt, 'logs'>, chain: Chain): readonly IncludedOperation[] =>
  parseEventLogs({ abi: OPERATION_EVENT, logs })
    .filter(({ address }) => isEntryPoint(address, chain))
    .map(({ args: { userOpHash, sender, paymaster, actualGasCost, nonce, success } }) => ({
      hash: userOpHash,
      sender,
      cost: actualGasCost,
      nonce,
      hasSucceeded: success,
      ...(!isSameAddress(paymaster, ZERO_ADDRESS) && { paymaster }),
    }));

/** The fee of a transaction in wei, including the charge of OP Stack rollups for data on Ethereum (`l1Fee`). */
export function feeOfReceipt(receipt: TransactionReceipt): bigint {
  const { gasUsed, effectiveGasPrice, l1Fee } = receipt as TransactionReceipt & { readonly l1Fee?: unknown };
  return gasUsed * effectiveGasPrice + (typeof l1Fee === 'string' && isHex(l1Fee) ? BigInt(l1Fee) : 0n);
}

/** The inclusion of something that an account sent, and its fee. */
export type Inclusion = {
  readonly block: bigint;
  /** The transaction reverted. */
  readonly hasFailed: boolean;
  /** wei. */
  readonly fee: bigint;
  /** Who paid the fee, as the network says; absent if it was another address. */
  readonly payer?: 'paymaster' | 'account';
  /** The account's user operations in it, the first of which the fee is of; none in a transaction of its own. */
  readonly operations: readonly IncludedOperation[];
};

/** @throws If the node does not respond, or does not have the transaction. */
export async function inclusionOf(chain: Chain, account: string, hash: Hash): Promise<Inclusion> {
  const receipt = await getTransactionReceipt(nodeOf(chain), { hash });
  const operations = operationsIn(receipt, chain).filter(({ sender }) => isSameAddress(sender, account));
  const [operation] = operations;
  const { blockNumber: block } = receipt;
  const hasFailed = receipt.status === 'reverted';
  if (operation !== undefined)
    return {
      block,
      hasFailed,
      fee: operation.cost,
      payer: operation.paymaster === undefined ? 'account' : 'paymaster',
      operations,
    };
  return {
    block,
    hasFailed,
    fee: feeOfReceipt(receipt),
    operations,
    ...(isSameAddress(receipt.from, account) && { payer: 'account' }),
  };
}
