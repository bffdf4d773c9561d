import { READS, UNCLE_READS } from '../../../core/methods/node-reads';

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

/** Nodes keep filters; the service keeps whose they are. */
export const FILTER_METHODS = [
  'eth_getFilterChanges',
  'eth_getFilterLogs',
  'eth_newBlockFilter',
  'eth_newFilter',
  'eth_newPendingTransactionFilter',
  'eth_uninstallFilter',
] as const;

export type FilterMethod = (typeof FILTER_METHODS)[number];

const BUILT_IN = new Set<string>([...FILTER_METHODS, ...NODE_METHODS, ...UNCLE_READS]);

/**
 * Whether nodes are asked for a method although no operator lists it. Such a request may be sent to another node even
 * if the first may have executed it: it is a read; a signed transaction, whose nonce makes it count once; or a filter,
 * which a node ends by itself if nobody uses it.
 *
 * @param method - Name of the method.
 */
export const isBuiltIn = (method: string): boolean => BUILT_IN.has(method);
