/** Read-only node methods that every part of Keystead supports. Each part adds its own. */
export const READS = [
  'eth_blockNumber',
  'eth_call',
  'eth_estimateGas',
  'eth_feeHistory',
  'eth_gasPrice',
  'eth_getBalance',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getBlockTransactionCountByHash',
  'eth_getBlockTransactionCountByNumber',
  'eth_getCode',
  'eth_getLogs',
  'eth_getProof',
  'eth_getStorageAt',
  'eth_getTransactionByBlockHashAndIndex',
  'eth_getTransactionByBlockNumberAndIndex',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_maxPriorityFeePerGas',
  'eth_syncing',
] as const;

/** The methods about uncles. */
export const UNCLE_READS = [
  'eth_getUncleByBlockHashAndIndex',
  'eth_getUncleByBlockNumberAndIndex',
  'eth_getUncleCountByBlockHash',
  'eth_getUncleCountByBlockNumber',
] as const;

/** The methods of a node that the snap forwards for connected sites. */
export const SITE_READS = [
  ...READS,
  ...UNCLE_READS,
  'eth_blobBaseFee',
  'eth_createAccessList',
  'eth_getBlockReceipts',
  'web3_clientVersion',
] as const;
export type SiteRead = (typeof SITE_READS)[number];
