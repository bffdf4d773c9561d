import { READS } from '../../../core/schemas/reads';

/** Methods forwarded to a node unless the operator lists others: reads, and sending signed transactions. */
export const NODE_METHODS = [
  ...READS,
  'eth_blobBaseFee',
  'eth_createAccessList',
  'eth_getBlockReceipts',
  'eth_sendRawTransaction',
  // Keystead previews what a request changes with it.
  'eth_simulateV1',
  'net_listening',
  'net_peerCount',
  'web3_sha3',
] as const;

const BUILT_IN = new Set<string>([
  ...NODE_METHODS,
  'eth_getUncleByBlockHashAndIndex',
  'eth_getUncleByBlockNumberAndIndex',
  'eth_getUncleCountByBlockHash',
  'eth_getUncleCountByBlockNumber',
]);

/**
 * Whether nodes are asked for a method although no operator lists it. Such a request may be sent to another node even
 * if the first may have executed it: it is a read, or a signed transaction, whose nonce makes it count once.
 *
 * @param method - Name of the method.
 */
export const isBuiltIn = (method: string): boolean => BUILT_IN.has(method);
