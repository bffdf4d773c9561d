import { ServiceFailedError, ServiceRefusedError, ServiceSilentError } from '../core/errors';
import { type Hex, quantityToHex } from '../core/eth/bytes';
import { type CanarySource } from '../core/ledger/canary';
import { type ChainState, type Read } from '../core/ledger/chain-state';
import { type PlacedLog } from '../core/ledger/placed-log';
import { type LogsAnswer, type LogSource } from '../core/ledger/scan';
import { BytesStruct, QuantityAnswerStruct } from '../core/structs/hex';
import { BlockHashesStruct, BlockPlaceStruct, PlacedLogsStruct, ReceiptLogsStruct } from '../core/schemas/receipt';
import { type Infer, nullable } from '../core/structs/struct';
import { answersTogether, callTogether, MULTICALL3 } from './multicall';
import { type NodeClient } from './node';

/** What is needed of a node. */
export type LedgerNode = Pick<NodeClient, 'ask' | 'chainId' | 'title'>;

/** Calls of one `eth_call` through Multicall3, and of single ones at the same time. */
const CALLS_AT_ONCE = 100;
const SINGLE_AT_ONCE = 10;

const placed = (logs: Infer<typeof PlacedLogsStruct>): PlacedLog[] =>
  logs.map(({ address, data, topics, blockNumber, transactionHash, logIndex }) => ({
    address,
    data,
    topics,
    blockNumber: BigInt(blockNumber),
    transactionHash,
    logIndex: Number(logIndex),
  }));

/**
 * The node's side of a scan of an account's events.
 *
 * A node refuses a range in many ways: an error response, a result that is too long, no answer in time. So each of
 * these is a refusal, and only a node that does not respond to any other request is one that cannot be reached.
 *
 * @param of - The contracts whose events are searched; those of all if absent.
 */
export function ledgerSource(
  node: LedgerNode,
  of: { readonly address?: readonly Hex[] } = {},
): LogSource & CanarySource {
  const blockAt = async (block: 'latest' | bigint, signal?: AbortSignal) =>
    node.ask(
      'eth_getBlockByNumber',
      [block === 'latest' ? block : quantityToHex(block), false],
      BlockPlaceStruct,
      signal,
    );
  return {
    title: node.title,
    head: async (signal) => {
      const block = await blockAt('latest', signal);
      if (block === null) throw new ServiceFailedError(`T${node.title.slice(1)} returned no latest block.`);
      return { number: BigInt(block.number), hash: block.hash };
    },
    hashOf: async (block, signal) => (await blockAt(block, signal))?.hash,
    logs: async (topics, { from, to }, signal): Promise<LogsAnswer> => {
      const filter = { ...of, fromBlock: quantityToHex(from), toBlock: quantityToHex(to), topics };
      try {
        return { logs: placed(await node.ask('eth_getLogs', [filter], PlacedLogsStruct, signal)) };
      } catch (error) {
        const isRefusal = error instanceof ServiceRefusedError || error instanceof ServiceFailedError;
        if (!isRefusal || signal?.aborted === true) throw error;
        // Whether a silent node is there at all shows in a request that costs it nothing.
        if (error instanceof ServiceSilentError) await node.chainId(signal);
        return { refusal: error.message, isLate: error instanceof ServiceSilentError };
      }
    },
    transactionsIn: async (block, signal) => {
      const found = await node.ask(
        'eth_getBlockByNumber',
        [quantityToHex(block), false],
        nullable(BlockHashesStruct),
        signal,
      );
      return found?.transactions ?? [];
    },
    logsOf: async (transaction, signal) => {
      const receipt = await node.ask('eth_getTransactionReceipt', [transaction], ReceiptLogsStruct, signal);
      return receipt === null ? [] : placed(receipt.logs);
    },
  };
}

/** @returns Whether an error says nothing about the request, since nobody answered it. */
const isSilent = (error: unknown): boolean =>
  error instanceof ServiceSilentError || !(error instanceof ServiceRefusedError || error instanceof ServiceFailedError);

/** The words of nodes for a call that fails by itself. Others stand for limits of the node. */
const REVERTED = /revert|invalid (?:opcode|jump)|stack (?:under|over)flow|out of gas|vm execution/iu;
const REVERTED_CODE = 3;

const isRevert = (error: unknown): boolean =>
  error instanceof ServiceRefusedError && (error.error.code === REVERTED_CODE || REVERTED.test(error.error.message));

/** Runs a function for each item, so many at a time, and keeps their order. */
async function eachOf<Item, Result>(
  items: readonly Item[],
  most: number,
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += most)
    results.push(...(await Promise.all(items.slice(start, start + most).map(run))));
  return results;
}

/**
 * The state of the chain at its newest block. All of it is read at that block, so that balances and allowances belong
 * together.
 *
 * @throws {ServiceFailedError} If the node does not answer.
 */
export async function latestState(node: LedgerNode, signal?: AbortSignal): Promise<ChainState> {
  const head = await node.ask('eth_getBlockByNumber', ['latest', false], BlockPlaceStruct, signal);
  if (head === null) throw new ServiceFailedError(`T${node.title.slice(1)} returned no latest block.`);
  const tag = quantityToHex(BigInt(head.number));
  const call = (read: Read & { readonly from?: Hex }): Promise<Hex> =>
    node.ask('eth_call', [read, tag], BytesStruct, signal);
  const single = (read: Read): Promise<Hex | undefined> =>
    call(read).catch((error: unknown) => {
      if (isSilent(error)) throw error;
      return undefined;
    });
  const atOnce = async (reads: readonly Read[]): Promise<readonly (Hex | undefined)[]> =>
    answersTogether(await call(callTogether(reads)), reads.length);
  const code = (address: Hex): Promise<Hex> => node.ask('eth_getCode', [address, tag], BytesStruct, signal);
  const hasMulticall = (await code(MULTICALL3)) !== '0x';
  return {
    block: BigInt(head.number),
    time: BigInt(head.timestamp),
    calls: async (reads) => {
      if (!hasMulticall) return eachOf(reads, SINGLE_AT_ONCE, single);
      const parts: Read[][] = [];
      for (let start = 0; start < reads.length; start += CALLS_AT_ONCE)
        parts.push(reads.slice(start, start + CALLS_AT_ONCE));
      // A contract that uses up the gas of all, or returns too much, must not hide the others.
      const each = async (part: readonly Read[]): Promise<readonly (Hex | undefined)[]> =>
        atOnce(part).catch((error: unknown) => {
          if (isSilent(error)) throw error;
          return eachOf(part, SINGLE_AT_ONCE, single);
        });
      return (await eachOf(parts, 1, each)).flat();
    },
    // Through Multicall3 a call would come from it, and not from the account.
    reverts: (from, { to, data }) =>
      call({ from, to, data }).then(
        () => false,
        (error: unknown) => (isRevert(error) ? true : undefined),
      ),
    code,
    nonce: async (address) =>
      BigInt(await node.ask('eth_getTransactionCount', [address, tag], QuantityAnswerStruct, signal)),
    storage: async (address, slot) => {
      const word = await node.ask('eth_getStorageAt', [address, slot, tag], BytesStruct, signal);
      return word === '0x' ? 0n : BigInt(word);
    },
    timeOf: async (block) => {
      const found = await node.ask('eth_getBlockByNumber', [quantityToHex(block), false], BlockPlaceStruct, signal);
      return found === null ? BigInt(head.timestamp) : BigInt(found.timestamp);
    },
  };
}
