import { READS } from '../../../core/schemas/reads';

/** Methods forwarded to a node unless the operator lists others: reads, and sending signed transactions. */
export const NODE_METHODS = [
  ...READS,
  'eth_blobBaseFee',
  'eth_createAccessList',
  'eth_getBlockReceipts',
  'eth_sendRawTransaction',
  'net_listening',
  'net_peerCount',
  'web3_sha3',
] as const;

const REPEATABLE = new Set<string>([
  ...NODE_METHODS,
  'eth_getUncleByBlockHashAndIndex',
  'eth_getUncleByBlockNumberAndIndex',
  'eth_getUncleCountByBlockHash',
  'eth_getUncleCountByBlockNumber',
]);

/**
 * Whether a request may be sent to another node although the first may have executed it. A signed transaction may: its
 * nonce makes it count once. Nothing is known about the methods that an operator lists.
 *
 * @param method - Name of the method.
 */
export const isRepeatable = (method: string): boolean => REPEATABLE.has(method);
