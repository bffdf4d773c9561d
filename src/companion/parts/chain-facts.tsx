import { type VNode } from 'preact';
import { formatGwei } from 'viem/utils';

import { rpc } from '../model/json-rpc';
import { linkTo } from '../model/route';
import { type Chain } from '../model/types';
import { shortEther } from '../model/units';
import { Facts } from './facts';

type Quantity = `0x${string}`;
type Transaction = {
  readonly hash: string;
  readonly from: string;
  readonly to: string | null;
  readonly value: Quantity;
  readonly nonce: Quantity;
  readonly input: string;
  readonly blockNumber: Quantity | null;
};
type Receipt = {
  readonly status: Quantity;
  readonly gasUsed: Quantity;
  readonly effectiveGasPrice: Quantity;
  readonly contractAddress: string | null;
  readonly logs: readonly { readonly topics: readonly string[] }[];
};
type Block = {
  readonly number: Quantity;
  readonly hash: string;
  readonly parentHash: string;
  readonly timestamp: Quantity;
  readonly gasUsed: Quantity;
  readonly gasLimit: Quantity;
  readonly baseFeePerGas?: Quantity;
  readonly miner: string;
  readonly transactions: readonly string[];
  readonly uncles: readonly string[];
};
type OperationReceipt = {
  readonly sender: string;
  readonly nonce: Quantity;
  readonly success: boolean;
  readonly actualGasCost: Quantity;
  readonly actualGasUsed: Quantity;
  readonly entryPoint?: string;
  readonly paymaster?: string;
  readonly receipt: { readonly transactionHash: string; readonly blockNumber: Quantity };
};

/** The topic of `UserOperationEvent`, the same in every entry point. The operation's hash is its first indexed field. */
const OPERATION_EVENT = '0x49628fd1471006c1482da88028e9ce4dbb080b815c9b0344d39e5a8e6ec1419f';

const operationsIn = (receipt: Receipt | null): readonly string[] =>
  (receipt?.logs ?? []).flatMap(({ topics: [event, hash] }) =>
    event === OPERATION_EVENT && hash !== undefined ? [hash] : [],
  );

const number = (quantity: Quantity): string => BigInt(quantity).toString();
const ether = (wei: bigint): string => `${shortEther(wei)} ETH`;

const BlockLink = ({ block }: { readonly block: Quantity }): VNode => (
  <a href={linkTo('explorer', 'block', number(block))}>{number(block)}</a>
);
const TransactionLink = ({ hash }: { readonly hash: string }): VNode => (
  <a class="address" href={linkTo('explorer', 'transaction', hash)}>
    {hash}
  </a>
);
const Hex = ({ text }: { readonly text: string }): VNode => <code class="address">{text}</code>;

const operationReceipt = (bundlerUrl: string, hash: string): Promise<OperationReceipt | null> =>
  rpc(bundlerUrl, 'eth_getUserOperationReceipt', [hash]);

const Operation = ({ hash, found }: { readonly hash: string; readonly found: OperationReceipt }): VNode => (
  <>
    <h2>User operation</h2>
    <Facts
      facts={[
        ['Hash', <Hex text={hash} />],
        ['Status', found.success ? 'Succeeded' : 'Failed'],
        ['Sender', <Hex text={found.sender} />],
        ['Nonce', number(found.nonce)],
        ['Network fee', ether(BigInt(found.actualGasCost))],
        ['Gas used', number(found.actualGasUsed)],
        [
          'Paymaster',
          found.paymaster === undefined || /^0x0{40}$/u.test(found.paymaster) ? undefined : (
            <Hex text={found.paymaster} />
          ),
        ],
        ['Transaction', <TransactionLink hash={found.receipt.transactionHash} />],
        ['Block', <BlockLink block={found.receipt.blockNumber} />],
      ]}
    />
  </>
);

/** A user operation, as the bundler reports it. @throws {NodeError} */
export async function OperationFacts({ bundlerUrl }: Chain, hash: string): Promise<VNode> {
  if (bundlerUrl === undefined)
    throw new Error('This network has no bundler to look up user operations. Add one in Settings.');
  const found = await operationReceipt(bundlerUrl, hash);
  if (found === null) throw new Error('User operation not found. It is unknown to the bundler, or not included yet.');
  return <Operation hash={hash} found={found} />;
}

/** A transaction, as the node reports it. A hash without a transaction is looked up as a user operation. @throws {NodeError} */
export async function TransactionFacts(chain: Chain, hash: string): Promise<VNode> {
  const [found, receipt] = await Promise.all([
    rpc<Transaction | null>(chain.rpcUrl, 'eth_getTransactionByHash', [hash]),
    rpc<Receipt | null>(chain.rpcUrl, 'eth_getTransactionReceipt', [hash]),
  ]);
  if (found === null) {
    if (chain.bundlerUrl === undefined) throw new Error('Transaction not found. Check the hash and the network.');
    const operation = await operationReceipt(chain.bundlerUrl, hash);
    if (operation !== null) return <Operation hash={hash} found={operation} />;
    throw new Error('Nothing found for this hash: no transaction, and no user operation that is included yet.');
  }
  const paid = receipt === null ? undefined : BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice);
  return (
    <>
      <h2>Transaction</h2>
      <Facts
        facts={[
          ['Hash', <Hex text={found.hash} />],
          ['Status', receipt === null ? 'Pending' : receipt.status === '0x1' ? 'Succeeded' : 'Failed'],
          ['From', <Hex text={found.from} />],
          ['To', found.to === null ? 'Contract creation' : <Hex text={found.to} />],
          ['Created contract', receipt?.contractAddress ? <Hex text={receipt.contractAddress} /> : undefined],
          ['Value', ether(BigInt(found.value))],
          ['Nonce', number(found.nonce)],
          ['Network fee', paid === undefined ? undefined : ether(paid)],
          ['Block', found.blockNumber === null ? undefined : <BlockLink block={found.blockNumber} />],
          ...operationsIn(receipt).map(
            (operation) =>
              [
                'User operation',
                <a class="address" href={linkTo('explorer', 'operation', operation)}>
                  {operation}
                </a>,
              ] as const,
          ),
          ['Data', <Hex text={found.input} />],
        ]}
      />
    </>
  );
}

/** A block, with links to its transactions. @throws {NodeError} */
export async function BlockFacts({ rpcUrl }: Chain, id: string): Promise<VNode> {
  const isHash = id.startsWith('0x');
  if (!isHash && !/^\d{1,15}$/u.test(id)) throw new Error('Enter a block number or a block hash.');
  const found = isHash
    ? await rpc<Block | null>(rpcUrl, 'eth_getBlockByHash', [id, false])
    : await rpc<Block | null>(rpcUrl, 'eth_getBlockByNumber', [`0x${BigInt(id).toString(16)}`, false]);
  if (found === null) throw new Error('Block not found. The node does not have it.');
  const height = BigInt(found.number);
  return (
    <>
      <h2>Block</h2>
      <Facts
        facts={[
          ['Number', number(found.number)],
          ['Time', new Date(Number(found.timestamp) * 1000).toISOString().replace('T', ' ').replace('.000Z', ' UTC')],
          ['Hash', <Hex text={found.hash} />],
          [
            'Parent',
            height === 0n ? undefined : (
              <a href={linkTo('explorer', 'block', (height - 1n).toString())}>{(height - 1n).toString()}</a>
            ),
          ],
          ['Miner', <Hex text={found.miner} />],
          ['Gas used', `${number(found.gasUsed)} of ${number(found.gasLimit)}`],
          [
            'Base fee',
            found.baseFeePerGas === undefined ? undefined : `${formatGwei(BigInt(found.baseFeePerGas))} gwei`,
          ],
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
