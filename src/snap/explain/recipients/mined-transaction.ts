import { type NodeClient } from '../../../clients/node';
import { ServiceFailedError } from '../../../core/errors';
import { isSameAddress } from '../../../core/eth/address';
import { type Hex, quantityToHex } from '../../../core/eth/bytes';
import { AddressStruct } from '../../../core/schemas/address';
import { BytesStruct, QuantityAnswerStruct } from '../../../core/structs/hex';
import { array, nullable, optional, type, unknown } from '../../../core/structs/struct';
import { type Position, type ShownTransaction } from './shown-transactions';
import { callHash } from '../../../core/eth/transaction-call';

/** The fields of a mined transaction that identify what it did. Some networks have transactions without them. */
const MinedTransactionStruct = type({
  from: AddressStruct,
  to: optional(nullable(AddressStruct)),
  value: QuantityAnswerStruct,
  input: BytesStruct,
});

/** The result of `eth_getBlockByNumber` with whole transactions, each of which has to be checked by itself. */
const MinedBlockStruct = type({ transactions: array(unknown()) });

/** A node of one network. */
type Node = Pick<NodeClient, 'ask'>;

async function nonceAt(account: Hex, block: bigint | 'latest' | 'pending', node: Node): Promise<bigint> {
  const at = typeof block === 'bigint' ? quantityToHex(block) : block;
  return BigInt(await node.ask('eth_getTransactionCount', [account, at], QuantityAnswerStruct));
}

const latestBlock = async (node: Node): Promise<bigint> =>
  BigInt(await node.ask('eth_blockNumber', [], QuantityAnswerStruct));

/**
 * @returns Where an account and its network are now. Transactions that wait for a block are counted.
 * @throws {ServiceFailedError} If the node does not respond correctly.
 * @throws {ServiceRefusedError} If it responds with an error.
 */
export async function positionOf(account: Hex, node: Node): Promise<Position> {
  const [nonce, block] = await Promise.all([nonceAt(account, 'pending', node), latestBlock(node)]);
  return { nonce, block };
}

/** More blocks than any network makes in a day. */
const MAX_BLOCKS = 10_000_000n;

/** The block that includes the account's transaction with a nonce that is used. */
async function blockOfNonce(account: Hex, nonce: bigint, from: bigint, node: Node): Promise<bigint> {
  let [low, high] = [from, await latestBlock(node)];
  if (high - low > MAX_BLOCKS) throw new ServiceFailedError('The node has made too many blocks since.');
  while (low < high) {
    const middle = (low + high) / 2n;
    if ((await nonceAt(account, middle, node)) > nonce) high = middle;
    else low = middle + 1n;
  }
  return low;
}

/**
 * Whether a transaction that was shown was sent since. Only the chain can tell: a page can have any transaction shown,
 * and a nonce that is used may have been used by another transaction. So it counts only if the block in which its nonce
 * was used has a transaction of the account with the same recipient, value and data. Whether that succeeded does not
 * matter: the person agreed to it.
 *
 * @returns undefined while the nonce is not used.
 * @throws {ServiceFailedError} If the node does not respond correctly.
 * @throws {ServiceRefusedError} If it responds with an error, for instance because it keeps no state of older blocks.
 */
export async function wasSent(
  { account, call, nonce: shownNonce, block }: ShownTransaction,
  node: Node,
): Promise<boolean | undefined> {
  const nonce = BigInt(shownNonce);
  if ((await nonceAt(account, 'latest', node)) <= nonce) return undefined;
  const at = await blockOfNonce(account, nonce, BigInt(block), node);
  const { transactions } = await node.ask('eth_getBlockByNumber', [quantityToHex(at), true], MinedBlockStruct);
  return transactions.some((mined) => {
    if (!MinedTransactionStruct.is(mined)) return false;
    const { from, to = null, value, input: data } = mined;
    return isSameAddress(from, account) && callHash({ to, value: BigInt(value), data }) === call;
  });
}
