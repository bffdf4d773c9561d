import { type ChainServices } from '../networks/services';
import { type UserOperationReceipt } from '../../clients/bundler';
import { nextNonce } from '../../clients/entry-point';
import { transactionCount, transactionReceipt } from '../../clients/transactions';
import { type Hex, quantityToHex } from '../../core/eth/bytes';
import { type CallsReceipt, type Log } from '../../core/schemas/receipt';
import { type Batch, type BatchStatus } from './batch';

/** The status and receipts of a batch, according to its network. */
type Outcome = { readonly status: BatchStatus; readonly receipts: readonly CallsReceipt[] };

/**
 * How long something may be unknown after its nonce was used, in milliseconds, before it counts as never included.
 * Services may lag behind each other.
 */
const GRACE = 600_000;
/** How long something may be pending at most, in milliseconds. */
const PATIENCE = 86_400_000;

/** Only the fields of a log that EIP-5792 defines. */
const toLog = ({ address, data, topics }: Log): Log => ({ address, data, topics });

const lost = async (nonceIsUsed: () => Promise<boolean>, age: number): Promise<boolean> =>
  age > PATIENCE || (age > GRACE && (await nonceIsUsed()));

async function receiptOfOperation(
  { logs, success, transactionHash, blockNumber, gasUsed, blockHash, actualGasUsed }: UserOperationReceipt,
  { node }: ChainServices,
): Promise<CallsReceipt> {
  const hash = blockHash ?? (await transactionReceipt(node, transactionHash))?.blockHash;
  return {
    logs: logs.map(toLog),
    status: success ? '0x1' : '0x0',
    blockHash: hash ?? `0x${'00'.repeat(32)}`,
    blockNumber: quantityToHex(blockNumber),
    gasUsed: quantityToHex(gasUsed ?? actualGasUsed),
    transactionHash,
  };
}

async function ofOperation(
  { account, sent }: Batch & { sent: { as: 'operation' } },
  services: ChainServices,
  age: number,
): Promise<Outcome> {
  const receipt = await services.bundler().getUserOperationReceipt(sent.hash);
  if (receipt !== undefined)
    return { status: receipt.success ? 200 : 500, receipts: [await receiptOfOperation(receipt, services)] };
  const nonceIsUsed = async () => (await nextNonce(services.node, sent.entryPoint, account)) > BigInt(sent.nonce);
  return { status: (await lost(nonceIsUsed, age)) ? 400 : 100, receipts: [] };
}

async function ofTransaction(
  account: Hex,
  { hash, nonce }: { hash: Hex; nonce: Hex },
  { node }: ChainServices,
  age: number,
): Promise<CallsReceipt | 'pending' | 'lost'> {
  const receipt = await transactionReceipt(node, hash);
  if (receipt === undefined) {
    const nonceIsUsed = async () => (await transactionCount(node, account, 'latest')) > BigInt(nonce);
    return (await lost(nonceIsUsed, age)) ? 'lost' : 'pending';
  }
  return {
    logs: receipt.logs.map(toLog),
    // Receipts before Byzantium have no status, but nothing is sent to such chains any more.
    status: quantityToHex(BigInt(receipt.status ?? 1)),
    blockHash: receipt.blockHash,
    blockNumber: quantityToHex(BigInt(receipt.blockNumber)),
    gasUsed: quantityToHex(BigInt(receipt.gasUsed)),
    transactionHash: receipt.transactionHash,
  };
}

async function ofTransactions(
  { account, sent }: Batch & { sent: { as: 'transactions' } },
  services: ChainServices,
  age: number,
): Promise<Outcome> {
  const each = await Promise.all(sent.items.map((item) => ofTransaction(account, item, services, age)));
  const receipts = each.filter((one) => typeof one === 'object');
  const succeeded = receipts.filter(({ status }) => status === '0x1').length;
  const status = (): BatchStatus => {
    if (each.includes('pending')) return 100;
    if (succeeded === each.length + sent.unsent) return 200;
    if (receipts.length === 0) return 400;
    return succeeded === 0 ? 500 : 600;
  };
  return { status: status(), receipts };
}

/**
 * Looks up the outcome of a batch.
 *
 * @param now - Milliseconds since 1970.
 * @throws {ServiceFailedError} If a service does not respond correctly.
 */
export function outcomeOf(batch: Batch, services: ChainServices, now: number): Promise<Outcome> {
  const age = now - batch.at;
  const { sent } = batch;
  return sent.as === 'operation'
    ? ofOperation({ ...batch, sent }, services, age)
    : ofTransactions({ ...batch, sent }, services, age);
}
