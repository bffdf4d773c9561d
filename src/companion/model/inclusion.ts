import { type Hash, parseEventLogs, type TransactionReceipt } from 'viem';
import { getTransactionReceipt } from 'viem/actions';

import { isSameAddress } from '../../core/eth/address';
import { type NodeClient } from './node';

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
  /** What it cost, in wei. */
  readonly cost: bigint;
};

export const isZeroAddress = (address: string): boolean => /^0x0{40}$/u.test(address);

/** @returns The user operations that a transaction included. */
export const operationsIn = ({ logs }: Pick<TransactionReceipt, 'logs'>): readonly IncludedOperation[] =>
  parseEventLogs({ abi: OPERATION_EVENT, logs }).map(({ args: { userOpHash, sender, paymaster, actualGasCost } }) => ({
    hash: userOpHash,
    sender,
    cost: actualGasCost,
    ...(!isZeroAddress(paymaster) && { paymaster }),
  }));

/** How something that an account sent was included, and what it cost. */
export type Inclusion = {
  readonly block: bigint;
  /** wei. */
  readonly fee: bigint;
  /** Absent if it is a transaction of the account itself. */
  readonly operation?: IncludedOperation;
};

/** @throws If the node does not respond, or does not have the transaction. */
export async function inclusionOf(node: NodeClient, account: string, hash: Hash): Promise<Inclusion> {
  const receipt = await getTransactionReceipt(node, { hash });
  const operation = operationsIn(receipt).find(({ sender }) => isSameAddress(sender, account));
  const { blockNumber: block, gasUsed, effectiveGasPrice } = receipt;
  return operation === undefined
    ? { block, fee: gasUsed * effectiveGasPrice }
    : { block, fee: operation.cost, operation };
}
