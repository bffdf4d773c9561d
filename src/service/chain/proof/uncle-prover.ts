import { BrokenCircuitError } from 'cockatiel';
import type { Logger } from 'pino';
import { toRlp } from 'viem/utils';

import type { Archive } from '../archive/archive';
import { toHex } from '../archive/bytes';
import { FormatError } from '../archive/errors';
import type { Hash } from '../archive/hashing';
import { EMPTY_UNCLES_HASH } from '../archive/header';
import { knownHashes } from '../archive/known';
import { uncleJson } from '../archive/uncle';
import { untilDeadline } from '../deadline';
import { historyUnavailable, INVALID_PARAMS, RpcError } from '../errors';
import { membersOf } from '../json-text';
import type { RpcMetrics } from '../metrics';
import type { BlockParameter } from '../params';
import type { ChainNodes, NodeReader } from '../upstreams/chain-nodes';
import { UpstreamFailure } from '../upstream-failure';
import { type BlockHeader, namedUncles, pendingUnclesHash, readBlockHeader } from './block-header';
import { UnprovenAnswer } from './unproven-answer';

/** A block by number, tag or hash. */
export type BlockName = BlockParameter | { hash: string };

/**
 * What a node proved: the uncles of the block as JSON, the number of a block that the archive covers, or null if there
 * is no such block.
 */
export type ProvenUncles = { uncles: readonly string[] } | { archived: number } | null;

export type UncleProverOptions = {
  network: string;
  nodes: ChainNodes;
  keccak: Hash;
  /** Whether a block's hash is the Keccak-256 of its header's RLP. */
  provenHeaders: boolean;
  archive: Archive | undefined;
  lastPowBlock: number | undefined;
  metrics: RpcMetrics;
  log: Logger;
};

const UNCLE_METHODS = [
  'eth_getUncleByBlockHashAndIndex',
  'eth_getUncleByBlockNumberAndIndex',
  'eth_getUncleCountByBlockHash',
  'eth_getUncleCountByBlockNumber',
] as const;

/** The archive counts a block's uncles in one byte. Ethereum allows two. */
const MOST_UNCLES = 255;

/** Some nodes answer an unknown block with an error where the interface requires null (anvil). */
const isUnknownBlock = ({ code, message }: RpcError) =>
  (code === INVALID_PARAMS && message.includes('BlockOutOfRange')) ||
  (code === -32001 && message.toLowerCase().includes('resource not found'));

const textOf = (block: BlockName) => ('hash' in block ? block.hash : block.hex);
const numberOf = (block: BlockName) => ('number' in block ? block.number : undefined);

async function blockOf(node: NodeReader, block: BlockName): Promise<unknown> {
  try {
    const method = 'hash' in block ? 'eth_getBlockByHash' : 'eth_getBlockByNumber';
    return (await node.ask(method, [textOf(block), false])).value;
  } catch (error) {
    if (error instanceof RpcError && isUnknownBlock(error)) return null;
    throw error;
  }
}

const unclesGone = (block: BlockName) =>
  historyUnavailable(`the network's node no longer has the uncles of block ${textOf(block)}`);

/**
 * An uncle of a network whose headers are not proven, in our shape: without transactions, and without a total
 * difficulty, which nodes get wrong.
 */
function asSent(text: string): string {
  const members = new Map([...membersOf(text)].map(([name, part]) => [name, part.text]));
  members.set('totalDifficulty', 'null').delete('transactions');
  return `{${[...members].map(([name, member]) => `${JSON.stringify(name)}:${member}`).join(',')}}`;
}

/**
 * Gets the uncles of blocks from nodes, and believes only what the hash of the block proves: the header that has the
 * hash, and the list of uncles that has the header's `sha3Uncles`. It takes two round trips; one if there are no
 * uncles. A block by number is as true as its hash: it must be the archive's, or another node's; with one node it is
 * that node's word, and so are the block of a tag, and that no block has a hash.
 */
export class UncleProver {
  readonly #options: UncleProverOptions;
  readonly #keccak: Hash | undefined;
  /** The checks in progress, which requests for the same block share. */
  readonly #running = new Map<string, Promise<ProvenUncles>>();

  constructor(options: UncleProverOptions) {
    this.#options = options;
    this.#keccak = options.provenHeaders ? options.keccak : undefined;
  }

  /**
   * @param block - A block that is not answered without a node.
   * @param deadline - When to give up, in milliseconds of `performance.now`.
   * @returns Its uncles.
   * @throws {RpcError} 502 if no node proves its answer, 504 if it takes too long, 4444 if the nodes no longer have the
   * uncles; else a node's own error.
   */
  async of(block: BlockName, deadline: number): Promise<ProvenUncles> {
    const key = textOf(block);
    let running = this.#running.get(key);
    if (!running) {
      running = this.#options.nodes
        .read(UNCLE_METHODS, (node, others) => this.#counted(node, this.#read(block, node, others)))
        .finally(() => this.#running.delete(key));
      this.#running.set(key, running);
    }
    try {
      return await untilDeadline(running, deadline);
    } catch (error) {
      throw error instanceof UpstreamFailure ? error.toRpcError('node') : error;
    }
  }

  /** Records the node whose answer is unproven. */
  async #counted<Result>({ label }: NodeReader, reading: Promise<Result>): Promise<Result> {
    try {
      return await reading;
    } catch (error) {
      if (error instanceof UnprovenAnswer) {
        const { network, metrics, log } = this.#options;
        metrics.unproven.inc({ network, node: label, flaw: error.flaw });
        log.warn({ network, node: label, flaw: error.flaw }, `the network's node ${error.message}`);
      }
      throw error;
    }
  }

  async #read(block: BlockName, node: NodeReader, others: readonly NodeReader[]): Promise<ProvenUncles> {
    const found = await blockOf(node, block);
    if (found === null) return this.#noBlock(block, node, others);
    const isPending = 'tag' in block && block.tag === 'pending';
    const pending = isPending ? pendingUnclesHash(found) : undefined;
    if (pending !== undefined) return this.#list(block, node, pending, found);

    const header = this.#header(found, block);
    const { hash, unclesHash } = header;
    const archived = this.#options.archive?.covers(Number(header.number)) ?? false;
    if ('tag' in block && archived) return { archived: Number(header.number) };
    const list = this.#list({ hash }, node, unclesHash, found);
    if (!('number' in block) || this.#provenHash(header.number) !== undefined) return list;
    const [uncles] = await Promise.all([list, this.#confirm(block, hash, others)]);
    return uncles;
  }

  /** Reads a block's header, and checks that it is the block asked for and fits the archive. */
  #header(found: unknown, block: BlockName): BlockHeader {
    const header = readBlockHeader(found, this.#keccak);
    const { number, hash, parentHash, unclesHash } = header;
    if ('hash' in block ? hash !== block.hash : 'number' in block && number !== block.number)
      throw new UnprovenAnswer('hash' in block ? 'hash' : 'number', 'sent another block than the one asked for');
    const { lastPowBlock } = this.#options;
    if (lastPowBlock !== undefined && number > BigInt(lastPowBlock) && unclesHash !== EMPTY_UNCLES_HASH)
      throw new UnprovenAnswer('uncles', 'sent a block with uncles after the last block that could have any');
    if ('hash' in block) return header;
    const known = this.#provenHash(number);
    if (known !== undefined && known !== hash)
      throw new UnprovenAnswer('hash', 'sent another block of this number than the archive has');
    const parent = this.#provenHash(number - 1n);
    if (parent !== undefined && parent !== parentHash)
      throw new UnprovenAnswer('parent', 'sent a block that does not follow the last block of the archive');
    return header;
  }

  /** The hash of a block that needs no node to confirm it. */
  #provenHash(number: bigint): string | undefined {
    const { archive, network } = this.#options;
    return archive?.provenHash(Number(number)) ?? knownHashes(network).get(Number(number));
  }

  /** @param block - By what its uncles are asked for. @param found - The block object, which names them. */
  async #list(block: BlockName, node: NodeReader, unclesHash: string, found: unknown): Promise<ProvenUncles> {
    if (unclesHash === EMPTY_UNCLES_HASH) return { uncles: [] };
    const named = namedUncles(found);
    // A node that has pruned the body has only the header left.
    if (named.length === 0) throw unclesGone(block);
    if (named.length > MOST_UNCLES) throw new UnprovenAnswer('uncles', 'sent a block with too many uncles');
    const method = `eth_getUncleByBlock${'hash' in block ? 'Hash' : 'Number'}AndIndex`;
    const answers = await node.askAll(
      method,
      named.map((_, i) => [textOf(block), `0x${i.toString(16)}`]),
    );
    const uncles = answers.map((answer) => {
      if (answer instanceof RpcError) throw answer;
      if (answer.value === null) throw unclesGone(block);
      return { header: readBlockHeader(answer.value, this.#keccak), text: answer.text };
    });
    this.#checkList(
      uncles.map(({ header }) => header),
      unclesHash,
      named,
    );
    return { uncles: uncles.map(({ header, text }) => this.#uncle(header, text)) };
  }

  /** @throws {UnprovenAnswer} If these are not the uncles that the header commits to. */
  #checkList(uncles: readonly BlockHeader[], unclesHash: string, named: readonly unknown[]): void {
    const members = uncles.flatMap((uncle) => (uncle.members ? [uncle.members] : []));
    const isProven = this.#keccak
      ? toHex(this.#keccak(toRlp(members, 'bytes'))) === unclesHash
      : uncles.every(({ hash }, i) => hash === named[i]);
    if (!isProven) throw new UnprovenAnswer('uncles', "sent uncles that are not those of the block's header");
  }

  /** @returns The uncle as JSON, made from the header that is proven. */
  #uncle({ members }: BlockHeader, text: string): string {
    if (!this.#keccak || !members) return asSent(text);
    try {
      return uncleJson(toRlp(members, 'bytes'), this.#keccak, null);
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      throw new UnprovenAnswer('uncles', 'sent an uncle that is not a proof-of-work block', { cause: error });
    }
  }

  /**
   * Asks other nodes for a block, one after the other.
   *
   * @returns Their headers, null for no block; without the nodes that fail, prove nothing, or have pruned the block.
   */
  async *#opinions(block: BlockName, others: readonly NodeReader[]): AsyncGenerator<BlockHeader | null> {
    for (const other of others) {
      const reading = async () => {
        const found = await blockOf(other, block);
        if (found !== null) return this.#header(found, block);
        const number = numberOf(block) ?? Infinity;
        return this.#mustExist(block) || (other.head ?? 0n) >= number ? undefined : null;
      };
      try {
        const opinion = await this.#counted(other, reading());
        if (opinion !== undefined) yield opinion;
      } catch (error) {
        // A node that cannot answer has no opinion. What else is thrown is thrown by whoever iterates.
        if (!(error instanceof UpstreamFailure || error instanceof RpcError || error instanceof BrokenCircuitError))
          throw error;
      }
    }
  }

  /** @throws {UnprovenAnswer} If other nodes have another block of this number, and none has this one. */
  async #confirm(block: BlockName, hash: string, others: readonly NodeReader[]): Promise<void> {
    let isDenied = false;
    for await (const header of this.#opinions(block, others)) {
      if (header?.hash === hash) return;
      isDenied = true;
    }
    if (isDenied) throw new UnprovenAnswer('nodes', `and another one do not agree on block ${textOf(block)}`);
  }

  #mustExist(block: BlockName): boolean {
    const { lastPowBlock } = this.#options;
    const number = numberOf(block);
    return lastPowBlock !== undefined && number !== undefined && number <= BigInt(lastPowBlock);
  }

  /** The node has no such block: that is checked against its head, and what another node says. */
  async #noBlock(block: BlockName, node: NodeReader, others: readonly NodeReader[]): Promise<null> {
    if ('tag' in block) {
      if (block.tag === 'latest') throw new UnprovenAnswer('shape', 'sent no latest block');
      return null;
    }
    const gone = historyUnavailable(`the network's node no longer has block ${textOf(block)}`);
    if (this.#mustExist(block)) throw gone;
    const [head] = await Promise.all([
      'number' in block ? this.#head(node) : undefined,
      this.#confirmMissing(block, others),
    ]);
    if (head !== undefined && head >= (numberOf(block) ?? 0n)) throw gone;
    return null;
  }

  async #head(node: NodeReader): Promise<bigint> {
    const found = await blockOf(node, { tag: 'latest', hex: 'latest' });
    return this.#header(found, { tag: 'latest', hex: 'latest' }).number;
  }

  /** @throws {UnprovenAnswer} If another node has the block. */
  async #confirmMissing(block: BlockName, others: readonly NodeReader[]): Promise<void> {
    for await (const header of this.#opinions(block, others)) {
      if (header) throw new UnprovenAnswer('nodes', `does not have block ${textOf(block)}, but another one has`);
      return;
    }
  }
}
