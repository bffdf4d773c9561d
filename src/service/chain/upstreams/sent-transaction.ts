import { wordingOf } from '../../../clients/node-wordings';
import { fromHex, toHex } from '../archive/bytes';
import { FormatError } from '../archive/errors';
import type { Hash } from '../archive/hashing';
import { rlpItem } from '../archive/rlp';
import { RpcError } from '../errors';
import { UpstreamFailure } from '../upstream-failure';
import type { ChainNode } from './chain-node';

const BYTES = /^0x(?:[0-9a-f]{2})+$/iu;
const BLOB_TYPE = 3;

/** Blobs travel with their transaction, but its hash does not cover them (EIP-4844): `0x03 || rlp([tx, blobs, …])`. */
function hashedBytes(bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== BLOB_TYPE) return bytes;
  const whole = rlpItem(bytes, 1, bytes.length);
  const first = rlpItem(bytes, whole.start, whole.end);
  return first.list ? Uint8Array.of(BLOB_TYPE, ...bytes.subarray(whole.start, first.end)) : bytes;
}

/**
 * @param params - JSON of the parameters of `eth_sendRawTransaction`.
 * @param keccak - Keccak-256.
 * @returns The hash of the signed transaction; undefined if there is none.
 */
export function transactionHash(params: string, keccak: Hash): string | undefined {
  const [raw] = [JSON.parse(params)].flat() as unknown[];
  if (typeof raw !== 'string' || !BYTES.test(raw)) return undefined;
  try {
    return toHex(keccak(hashedBytes(fromHex(raw))));
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
}

/**
 * Whether a node refused a transaction because it has it already, in its pool or in a block.
 *
 * @param node - The node.
 * @param hash - The transaction's hash.
 * @param refusal - The node's answer to `eth_sendRawTransaction`.
 * @param deadline - When to give up, in milliseconds of `performance.now`.
 */
export async function hasTransaction(
  node: ChainNode,
  hash: string,
  refusal: RpcError,
  deadline: number,
): Promise<boolean> {
  const { message, data } = refusal.toJSON();
  if (wordingOf({ message, data: data?.text }) === 'known') return true;
  try {
    const { value } = await node.ask('eth_getTransactionByHash', JSON.stringify([hash]), true, deadline);
    return value !== null;
  } catch (error) {
    // Without an answer the refusal stands.
    if (error instanceof UpstreamFailure || error instanceof RpcError) return false;
    throw error;
  }
}
