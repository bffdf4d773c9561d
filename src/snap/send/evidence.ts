import { type BundlerClient } from '../../clients/bundler';
import { nextNonce } from '../../clients/entry-point';
import { type NodeClient } from '../../clients/node';
import { hasTransaction, transactionCount, transactionReceipt } from '../../clients/transactions';
import { isSameAddress } from '../../core/eth/address';
import { type Hex, quantityToHex } from '../../core/eth/bytes';
import { QuantityAnswerStruct } from '../../core/structs/hex';
import { BlockHashesStruct, type CallsReceipt, FoundLogsStruct, type Log } from '../../core/schemas/receipt';
import { type Batch } from './batch';

/**
 * The evidence of the network about something that was sent. Only the node's answers count, because a bundler may
 * forget, or lie:
 *
 * - A receipt: it is included.
 * - `seen`: its nonce is not used, and the node, or the bundler, has it.
 * - `pending`: its nonce is not used.
 * - `replaced`: something else used its nonce, and the node showed it.
 * - `unknown`: the node does not show what became of it.
 */
export type Evidence = CallsReceipt | 'seen' | 'pending' | 'replaced' | 'unknown';

type Receipt = NonNullable<Awaited<ReturnType<typeof transactionReceipt>>>;

/** Only the fields of a log that EIP-5792 defines. */
const toLog = ({ address, data, topics }: Log): Log => ({ address, data, topics });

const toCallsReceipt = (
  { blockHash, blockNumber, gasUsed, transactionHash }: Receipt,
  isSuccess: boolean,
  logs: readonly Log[],
): CallsReceipt => ({
  logs: logs.map(toLog),
  status: isSuccess ? '0x1' : '0x0',
  blockHash,
  blockNumber: quantityToHex(BigInt(blockNumber)),
  gasUsed: quantityToHex(BigInt(gasUsed)),
  transactionHash,
});

export const latestBlock = async (node: NodeClient): Promise<bigint> =>
  BigInt(await node.ask('eth_blockNumber', [], QuantityAnswerStruct));

/**
 * The number of blocks in which the one that used a nonce is looked for. Blocks of fast networks take a quarter of a
 * second.
 */
const MAX_BLOCKS = 1n << 20n;

/** @returns The transactions of the block in which an account's nonce was used; undefined if it is not found. */
async function transactionsWith(node: NodeClient, account: Hex, nonce: bigint): Promise<readonly Hex[] | undefined> {
  const isUsedBy = async (block: bigint) =>
    block >= 0n && (await transactionCount(node, account, quantityToHex(block))) > nonce;
  let after = await latestBlock(node);
  if (!(await isUsedBy(after))) return undefined;
  let step = 1n;
  let before = after - step;
  while (await isUsedBy(before)) {
    if (step > MAX_BLOCKS) return undefined;
    after = before;
    step *= 2n;
    before = after - step;
  }
  while (after - before > 1n) {
    const middle = (after + before) / 2n;
    if (await isUsedBy(middle)) after = middle;
    else before = middle;
  }
  return (await node.ask('eth_getBlockByNumber', [quantityToHex(after), false], BlockHashesStruct)).transactions;
}

/**
 * @param thorough - Whether to ask for more than its receipt: for the nonce, and for what used it, which takes about
 * ten requests.
 * @throws {ServiceFailedError} If the node does not respond correctly.
 */
export async function evidenceOfTransaction(
  account: Hex,
  { hash, nonce }: { readonly hash: Hex; readonly nonce: Hex },
  node: NodeClient,
  thorough: boolean,
): Promise<Evidence> {
  const receipt = await transactionReceipt(node, hash);
  // Receipts before Byzantium have no status, but nothing is sent to such chains any more.
  if (receipt !== undefined) return toCallsReceipt(receipt, BigInt(receipt.status ?? 1) === 1n, receipt.logs);
  if (!thorough) return (await hasTransaction(node, hash)) ? 'seen' : 'unknown';
  if ((await transactionCount(node, account, 'latest')) <= BigInt(nonce))
    return (await hasTransaction(node, hash)) ? 'seen' : 'pending';
  // A node that has forgotten old states shows nothing.
  const others = await transactionsWith(node, account, BigInt(nonce)).catch(() => undefined);
  return others === undefined || others.some((other) => other.toLowerCase() === hash) ? 'unknown' : 'replaced';
}

/** The topics of `UserOperationEvent` and `BeforeExecution`, the same at every version of the entry point. */
const USER_OPERATION_EVENT = '0x49628fd1471006c1482da88028e9ce4dbb080b815c9b0344d39e5a8e6ec1419f';
const BEFORE_EXECUTION = '0xbb47ee3e183a558b1a2ff0874b079f3fc5478b7454eacf2bfc5af2ff5878f972';

type SentOperation = Batch['sent'] & { readonly as: 'operation' };

/** A word of the data of `UserOperationEvent`: nonce, success, actualGasCost, actualGasUsed. */
const wordOf = ({ data }: Log, at: number): bigint => BigInt(`0x${data.slice(2 + 64 * at, 66 + 64 * at) || '0'}`);

/** @returns The event of the operation that used the nonce, if the node shows it. */
async function eventWith(account: Hex, { entryPoint, nonce, since }: SentOperation, node: NodeClient) {
  // Hosted nodes refuse to search all blocks.
  if (since === undefined) return undefined;
  const sender: Hex = `0x${account.slice(2).toLowerCase().padStart(64, '0')}`;
  const topics = [USER_OPERATION_EVENT, null, sender];
  const filter = { address: entryPoint, topics, fromBlock: since, toBlock: 'latest' };
  const found = await node.ask('eth_getLogs', [filter], FoundLogsStruct).catch(() => []);
  // Not every node heeds the whole filter.
  return found.find(
    (event) =>
      isSameAddress(event.address, entryPoint) &&
      event.topics[0]?.toLowerCase() === USER_OPERATION_EVENT &&
      event.topics[2]?.toLowerCase() === sender &&
      wordOf(event, 0) === BigInt(nonce),
  );
}

/** @returns The receipt of the operation, with its own logs only; undefined if the transaction does not include it. */
function receiptOfOperation(receipt: Receipt, { hash, entryPoint }: SentOperation): CallsReceipt | undefined {
  let start = 0;
  for (const [at, log] of receipt.logs.entries()) {
    const [topic, operation] = log.topics;
    if (!isSameAddress(log.address, entryPoint)) continue;
    if (topic === USER_OPERATION_EVENT && operation?.toLowerCase() === hash)
      return toCallsReceipt(receipt, wordOf(log, 1) === 1n, receipt.logs.slice(start, at));
    if (topic === USER_OPERATION_EVENT || topic === BEFORE_EXECUTION) start = at + 1;
  }
  return undefined;
}

/**
 * @param bundler - Asked only for a transaction that the node does not show, and not believed.
 * @throws {ServiceFailedError} If the node does not respond correctly.
 */
export async function evidenceOfOperation(
  account: Hex,
  sent: SentOperation,
  node: NodeClient,
  bundler: () => BundlerClient,
): Promise<Evidence> {
  if ((await nextNonce(node, sent.entryPoint, account)) <= BigInt(sent.nonce)) {
    const has = async () => bundler().hasUserOperation(sent.hash);
    return (await has().catch(() => false)) ? 'seen' : 'pending';
  }
  const event = await eventWith(account, sent, node);
  if (event !== undefined && event.topics[1]?.toLowerCase() !== sent.hash) return 'replaced';
  const named = async () => bundler().transactionOf(sent.hash);
  const hash = event?.transactionHash ?? (await named().catch(() => undefined));
  const receipt = hash && (await transactionReceipt(node, hash));
  return (receipt && receiptOfOperation(receipt, sent)) ?? 'unknown';
}
