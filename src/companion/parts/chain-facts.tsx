import { type VNode } from 'preact';
import { type Address, getAddress, type Hash, isHash } from 'viem';
import { type UserOperationReceipt } from 'viem/account-abstraction';
import { getBlock, getTransaction, getTransactionReceipt } from 'viem/actions';
import { formatGwei } from 'viem/utils';

import { isSameAddress, ZERO_ADDRESS } from '../../core/eth/address';
import { feeOfReceipt, isEntryPoint, operationsIn } from '../model/inclusion';
import { networkOfChain } from '../model/network';
import { nodeOf } from '../model/node';
import { operationReceiptOf, unlessNotFound } from '../model/look-up';
import { linkTo } from '../model/route';
import { type Chain } from '../model/types';
import { formatAmount } from '../model/units';
import { Facts } from './facts';

const amountOn =
  (chain: Chain) =>
  (wei: bigint): string =>
    `${formatAmount(wei)} ${networkOfChain(chain).symbol}`;

const BlockLink = ({ block }: { readonly block: bigint }): VNode => (
  <a href={linkTo('explorer', 'block', String(block))}>{String(block)}</a>
);
const TransactionLink = ({ hash }: { readonly hash: string }): VNode => (
  <a class="address" href={linkTo('explorer', 'transaction', hash)}>
    {hash}
  </a>
);
const Hex = ({ text }: { readonly text: string }): VNode => <code class="address">{text}</code>;
/** Nodes write addresses without their checksum. */
const Account = ({ address }: { readonly address: Address }): VNode => <Hex text={getAddress(address)} />;

type OperationProps = { readonly hash: string; readonly found: UserOperationReceipt; readonly chain: Chain };

const Operation = ({ hash, found, chain }: OperationProps): VNode => (
  <>
    <h2>User operation</h2>
    <Facts
      facts={[
        ['Hash', <Hex text={hash} />],
        ['Status', found.success ? 'Succeeded' : 'Failed'],
        ['Sender', <Account address={found.sender} />],
        ['Nonce', String(found.nonce)],
        ['Network fee', amountOn(chain)(found.actualGasCost)],
        [
          'Fee paid by',
          found.paymaster === undefined || isSameAddress(found.paymaster, ZERO_ADDRESS) ? (
            'the sender'
          ) : (
            <>
              the paymaster <Account address={found.paymaster} />
            </>
          ),
        ],
        ['Gas used', String(found.actualGasUsed)],
        ['Transaction', <TransactionLink hash={found.receipt.transactionHash} />],
        ['Block', <BlockLink block={found.receipt.blockNumber} />],
      ]}
    />
  </>
);

/** A user operation, as the bundler reports it. @throws If it is not found, or the bundler does not respond. */
export async function OperationFacts(chain: Chain, hash: Hash): Promise<VNode> {
  if (chain.bundlerUrl === undefined)
    throw new Error('This network has no bundler to look up user operations. Add one in Settings.');
  const found = await operationReceiptOf(chain, hash);
  if (found === undefined)
    throw new Error('User operation not found. It is unknown to the bundler, or not included yet.');
  return <Operation hash={hash} found={found} chain={chain} />;
}

/**
 * A transaction, as the node reports it. A hash without a transaction is looked up as a user operation.
 *
 * @throws If nothing is found, or a service does not respond.
 */
export async function TransactionFacts(chain: Chain, hash: Hash): Promise<VNode> {
  const node = nodeOf(chain);
  const [found, receipt] = await Promise.all([
    unlessNotFound(getTransaction(node, { hash })),
    unlessNotFound(getTransactionReceipt(node, { hash })),
  ]);
  if (found === undefined) {
    if (chain.bundlerUrl === undefined) throw new Error('Transaction not found. Check the hash and the network.');
    const operation = await operationReceiptOf(chain, hash);
    if (operation !== undefined) return <Operation hash={hash} found={operation} chain={chain} />;
    throw new Error('Nothing found for this hash: no transaction, and no user operation that is included yet.');
  }
  const amount = amountOn(chain);
  const operations = receipt === undefined ? [] : operationsIn(receipt, chain);
  const isBundle = found.to !== null && isEntryPoint(found.to, chain);
  return (
    <>
      <h2>Transaction</h2>
      <Facts
        facts={[
          ['Hash', <Hex text={found.hash} />],
          ['Status', receipt === undefined ? 'Pending' : receipt.status === 'success' ? 'Succeeded' : 'Failed'],
          ...operations.map(
            ({ hash: operation }) =>
              [
                'User operation',
                <a class="address" href={linkTo('explorer', 'operation', operation)}>
                  {operation}
                </a>,
              ] as const,
          ),
          [isBundle ? 'From (the bundler)' : 'From', <Account address={found.from} />],
          ['To', found.to === null ? 'Contract creation' : <Account address={found.to} />],
          ['Created contract', receipt?.contractAddress ? <Account address={receipt.contractAddress} /> : undefined],
          ['Value', amount(found.value)],
          ['Nonce', String(found.nonce)],
          [
            isBundle ? 'Network fee, paid by the bundler' : 'Network fee',
            receipt === undefined ? undefined : amount(feeOfReceipt(receipt)),
          ],
          ['Block', found.blockNumber === null ? undefined : <BlockLink block={found.blockNumber} />],
          [
            'Data',
            // It may be long, and scrolls: with the keyboard, too.
            <code class="address data" tabIndex={0}>
              {found.input}
            </code>,
          ],
        ]}
      />
    </>
  );
}

/** A block, with links to its transactions. @throws If it is not found, or the node does not respond. */
export async function BlockFacts(chain: Chain, id: string): Promise<VNode> {
  if (!isHash(id) && !/^\d{1,15}$/u.test(id)) throw new Error('Enter a block number or a block hash.');
  const found = await unlessNotFound(
    getBlock(nodeOf(chain), isHash(id) ? { blockHash: id } : { blockNumber: BigInt(id) }),
  );
  if (found === undefined) throw new Error('Block not found. The node does not have it.');
  const { number, timestamp, baseFeePerGas } = found;
  const parent = String(number - 1n);
  return (
    <>
      <h2>Block</h2>
      <Facts
        facts={[
          ['Number', String(number)],
          ['Time', new Date(Number(timestamp) * 1000).toISOString().replace('T', ' ').replace('.000Z', ' UTC')],
          ['Hash', <Hex text={found.hash} />],
          ['Parent', number === 0n ? undefined : <a href={linkTo('explorer', 'block', parent)}>{parent}</a>],
          ['Miner', <Account address={found.miner} />],
          ['Gas used', `${found.gasUsed} of ${found.gasLimit}`],
          ['Base fee', baseFeePerGas === null ? undefined : `${formatGwei(baseFeePerGas)} gwei`],
          ['Uncles', String(found.uncles.length)],
        ]}
      />
      <h3>{found.transactions.length === 0 ? 'No transactions in this block' : 'Transactions'}</h3>
      <ul class="plain">
        {found.transactions.map((hash) => (
          <li key={hash}>
            <TransactionLink hash={hash} />
          </li>
        ))}
      </ul>
    </>
  );
}
