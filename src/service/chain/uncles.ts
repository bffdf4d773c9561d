import { fromHex } from './archive/bytes';
import { EMPTY_UNCLES_HASH } from './archive/header';
import { historyUnavailable, INTERNAL_ERROR, INVALID_PARAMS, RpcError } from './errors';
import { JsonText, membersOf, type Written } from './json-text';
import type { Source } from './methods/method';
import type { Network } from './network';
import type { BlockParameter } from './params';

/*
 * Who answers for which block. For a block that the archive covers, no other source is consulted.
 *   1. Block 0: it has no uncles, by the rules of the chain.
 *   2. A block that the archive covers: the archive.
 *   3. A block after the last proof-of-work block: none, by the rules of the chain.
 *   4. Any other block: the network's node, whose null is accepted only if the block's own header confirms it.
 *   5. Without a node: null for an unknown hash and above the head, 4444 (or null, as configured) for a gap. The hash
 *      of a block inside a gap cannot be told from an unknown one.
 */

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Some nodes answer an unknown block with an error where the interface requires null (anvil). */
const isUnknownBlock = ({ code, message }: RpcError) =>
  (code === INVALID_PARAMS && message.includes('BlockOutOfRange')) ||
  (code === -32001 && message.toLowerCase().includes('resource not found'));

const NOTHING: Written = { value: null, text: 'null' };

async function askNode({ network, deadline }: Source, method: string, params: readonly unknown[]): Promise<Written> {
  try {
    return await network.ask('upstream', method, JSON.stringify(params), deadline);
  } catch (error) {
    if (error instanceof RpcError && isUnknownBlock(error)) return NOTHING;
    throw error;
  }
}

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

/**
 * Brings a node's uncle into our shape: no transactions, and no total difficulty, which nodes get wrong.
 *
 * @throws {RpcError} 502 if it is neither an uncle nor null.
 */
function normalized({ value, text }: Written): JsonText {
  if (value === null) return new JsonText(text);
  if (!isRecord(value) || Array.isArray(value))
    throw new RpcError(INTERNAL_ERROR, "the network's node sent an uncle that is not a block object", { status: 502 });
  const members = new Map([...membersOf(text)].map(([name, part]) => [name, part.text]));
  members.set('totalDifficulty', 'null').delete('transactions');
  return new JsonText(`{${[...members].map(([name, member]) => `${JSON.stringify(name)}:${member}`).join(',')}}`);
}

/**
 * Checks a null against the block's header, because a node that has pruned a block's body may return null for an
 * existing uncle.
 *
 * @param mustExist - Whether the block is known to exist: a node without it has then pruned it.
 * @throws {RpcError} 4444 if the null is not confirmed.
 */
async function confirmNull(
  source: Source,
  method: string,
  block: string,
  index: bigint,
  mustExist: boolean,
): Promise<void> {
  const { value: found } = await askNode(source, method, [block, false]);
  const { uncles, sha3Uncles } = isRecord(found) ? found : {};
  // If only the header is left, the list is empty although the header commits to a non-empty one.
  const isCut = typeof sha3Uncles === 'string' && sha3Uncles.toLowerCase() !== EMPTY_UNCLES_HASH;
  const hasIt = Array.isArray(uncles) && (uncles.length === 0 ? isCut : BigInt(uncles.length) > index);
  if (hasIt || (found === null && mustExist))
    throw historyUnavailable(`the network's node no longer has the uncles of block ${block}`);
}

/**
 * A count is null only if there is no such block.
 *
 * @throws {RpcError} 4444 if the node has the block after all, or must have had it.
 */
async function confirmNoBlock(source: Source, method: string, block: string, mustExist: boolean): Promise<void> {
  if (mustExist || (await askNode(source, method, [block, false])).value !== null)
    throw historyUnavailable(`the network's node can no longer count the uncles of block ${block}`);
}

/** The number behind a tag, according to the node; undefined if there is no such block. */
async function taggedNumber(source: Source, tag: string): Promise<bigint | undefined> {
  const { value: block } = await askNode(source, 'eth_getBlockByNumber', [tag, false]);
  const number = isRecord(block) ? block['number'] : undefined;
  return typeof number === 'string' && /^0x[0-9a-f]+$/iu.test(number) ? BigInt(number) : undefined;
}

/** The block's number if the archive covers it. A number too large to be exact is beyond every archive. */
function coveredNumber(network: Network, number: bigint | undefined): number | undefined {
  const block = Number(number ?? NaN);
  return network.archive?.covers(block) ? block : undefined;
}

const toHex = (value: bigint) => `0x${value.toString(16)}`;

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
  return nodesUncleByNumber(source, block, index);
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

async function nodesUncleByNumber(source: Source, block: BlockParameter, index: bigint): Promise<unknown> {
  const { network } = source;
  const named = 'number' in block ? block.number : undefined;
  const hasBlocks = (network.archive?.covered.length ?? 0) > 0;
  const meant =
    named === undefined && hasBlocks ? coveredNumber(network, await taggedNumber(source, block.hex)) : undefined;
  if (meant !== undefined) return archived(network, meant, index);

  network.answered('upstream');
  const found = await askNode(source, 'eth_getUncleByBlockNumberAndIndex', [block.hex, toHex(index)]);
  if (found.value === null && named !== undefined)
    await confirmNull(source, 'eth_getBlockByNumber', block.hex, index, network.lastPowBlock !== undefined);
  return normalized(found);
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
  return nodesUncleByHash(source, hash, index);
}

async function nodesUncleByHash(source: Source, hash: string, index: bigint): Promise<unknown> {
  const { network } = source;
  network.answered('upstream');
  const found = await askNode(source, 'eth_getUncleByBlockHashAndIndex', [hash, toHex(index)]);
  if (found.value === null) await confirmNull(source, 'eth_getBlockByHash', hash, index, false);
  return normalized(found);
}

function archivedCount(network: Network, number: number): string {
  network.answered('archive');
  return `0x${(network.archive?.block(number)?.uncleCount ?? 0).toString(16)}`;
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
  const meant = named === undefined ? coveredNumber(network, await taggedNumber(source, block.hex)) : undefined;
  if (meant !== undefined) return archivedCount(network, meant);
  network.answered('upstream');
  const found = await askNode(source, 'eth_getUncleCountByBlockNumber', [block.hex]);
  if (found.value === null && named !== undefined) {
    const mustExist = network.lastPowBlock !== undefined && !ruledOut(network, named);
    await confirmNoBlock(source, 'eth_getBlockByNumber', block.hex, mustExist);
  }
  return new JsonText(found.text);
}

/** `eth_getUncleCountByBlockHash`. */
export async function uncleCountByHash(source: Source, hash: string): Promise<unknown> {
  const { network } = source;
  const number = network.archive?.numberOf(fromHex(hash));
  if (number !== undefined) return archivedCount(network, number);
  needsNode(network, hash);
  network.answered('upstream');
  const found = await askNode(source, 'eth_getUncleCountByBlockHash', [hash]);
  if (found.value === null) await confirmNoBlock(source, 'eth_getBlockByHash', hash, false);
  return new JsonText(found.text);
}
