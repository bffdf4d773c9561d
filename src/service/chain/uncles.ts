import { fromHex } from './archive/bytes';
import { historyUnavailable } from './errors';
import { JsonText } from './json-text';
import type { Source } from './methods/method';
import type { Network } from './network';
import type { BlockParameter } from './params';
import type { BlockName } from './proof/uncle-prover';

/*
 * Who answers for which block. For a block that the archive covers, no other source is consulted.
 *   1. Block 0: it has no uncles, by the rules of the chain.
 *   2. A block that the archive covers: the archive.
 *   3. A block after the last proof-of-work block: none, by the rules of the chain.
 *   4. Any other block: the network's node, of which only what the block's hash proves is believed (proof/).
 *   5. Without a node: null for an unknown hash and above the head, 4444 (or null, as configured) for a gap. The hash
 *      of a block inside a gap cannot be told from an unknown one.
 */

function needsNode(network: Network, block: string): void {
  if (!network.has('upstream'))
    throw historyUnavailable(`block ${block} is not in the archive, and this network has no node to ask`);
}

/** Whether the chain's rules exclude uncles for the block, covered or not. */
function ruledOut(network: Network, number: bigint): boolean {
  return number === 0n || (network.lastPowBlock !== undefined && number > BigInt(network.lastPowBlock));
}

function archived(network: Network, number: number, index: bigint): JsonText | null {
  network.answered('archive');
  // A block has at most 255 uncles, so any larger index misses, even if rounded.
  const uncle = network.archive?.uncle(number, Number(index), network.computesTotalDifficulty);
  return typeof uncle === 'string' ? new JsonText(uncle) : null;
}

/** The block's number if the archive covers it. A number too large to be exact is beyond every archive. */
function coveredNumber(network: Network, number: bigint | undefined): number | undefined {
  const block = Number(number ?? NaN);
  return network.archive?.covers(block) ? block : undefined;
}

/** `eth_getUncleByBlockNumberAndIndex`. Synchronous for a block that the archive covers. */
export function uncleByNumber(source: Source, block: BlockParameter, index: bigint): unknown {
  const { network } = source;
  const named = 'number' in block ? block.number : undefined;
  // After the merge, every tag but `earliest` is a block without uncles.
  if (named === undefined ? network.lastPowBlock !== undefined : named === 0n) return nothing(network);
  const covered = coveredNumber(network, named);
  if (covered !== undefined) return archived(network, covered, index);
  if (named !== undefined && ruledOut(network, named)) return nothing(network);
  if (!network.has('upstream')) return uncleWithoutNode(network, block, named);
  return nodesUncle(source, block, index);
}

/** The highest block known to exist without asking a node; undefined if none is. */
function knownHead(network: Network): bigint | undefined {
  const last = network.archive?.covered.at(-1)?.end ?? network.lastPowBlock;
  return last === undefined ? undefined : BigInt(Math.max(last, network.lastPowBlock ?? 0));
}

/**
 * Answers for a block outside the archive on a network without a node.
 *
 * @throws {RpcError} 4444 for a tag, for a number inside a gap of the known history (unless the operator chose `null`),
 * and for any number if no head is known.
 */
function uncleWithoutNode(network: Network, { hex }: BlockParameter, number: bigint | undefined): null {
  const head = knownHead(network);
  const isNull = number !== undefined && head !== undefined && (number > head || network.answersNullInGaps);
  if (!isNull) needsNode(network, hex);
  return nothing(network);
}

/** An uncle of a block that a node must be asked about. */
async function nodesUncle({ network, deadline }: Source, block: BlockName, index: bigint): Promise<unknown> {
  const found = await network.provenUncles(block, deadline);
  if (found && 'archived' in found) return archived(network, found.archived, index);
  network.answered('upstream');
  const uncle = found?.uncles[Number(index)];
  return uncle === undefined ? null : new JsonText(uncle);
}

function nothing(network: Network): null {
  network.answered('rule');
  return null;
}

/** `eth_getUncleByBlockHashAndIndex`. Synchronous for a block that the archive covers. */
export function uncleByHash(source: Source, hash: string, index: bigint): unknown {
  const { network } = source;
  const number = network.archive?.numberOf(fromHex(hash));
  if (number !== undefined) return archived(network, number, index);
  // Without a node, an unknown hash counts as a block that does not exist, as the specification says.
  if (network.archive?.complete || !network.has('upstream')) return nothing(network);
  return nodesUncle(source, { hash }, index);
}

function archivedCount(network: Network, number: number): string {
  network.answered('archive');
  return `0x${(network.archive?.block(number)?.uncleCount ?? 0).toString(16)}`;
}

/** A count of a block that a node must be asked about: null if there is no such block. */
async function nodesCount({ network, deadline }: Source, block: BlockName): Promise<string | null> {
  const found = await network.provenUncles(block, deadline);
  if (found && 'archived' in found) return archivedCount(network, found.archived);
  network.answered('upstream');
  return found && `0x${found.uncles.length.toString(16)}`;
}

/** `eth_getUncleCountByBlockNumber`: the count if the block exists, else null. */
export async function uncleCountByNumber(source: Source, block: BlockParameter): Promise<unknown> {
  const { network } = source;
  const named = 'number' in block ? block.number : undefined;
  const covered = coveredNumber(network, named);
  if (covered !== undefined) return archivedCount(network, covered);
  if (named === 0n) {
    network.answered('rule');
    return '0x0';
  }
  needsNode(network, block.hex);
  return nodesCount(source, block);
}

/** `eth_getUncleCountByBlockHash`. */
export async function uncleCountByHash(source: Source, hash: string): Promise<unknown> {
  const { network } = source;
  const number = network.archive?.numberOf(fromHex(hash));
  if (number !== undefined) return archivedCount(network, number);
  needsNode(network, hash);
  return nodesCount(source, { hash });
}
