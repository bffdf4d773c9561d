import type { Network, Target } from '../network';

/** What a node is asked for unless the operator lists other methods: reads, and sending signed transactions. */
const NODE_METHODS = [
  'eth_blobBaseFee',
  'eth_blockNumber',
  'eth_call',
  'eth_createAccessList',
  'eth_estimateGas',
  'eth_feeHistory',
  'eth_gasPrice',
  'eth_getBalance',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getBlockReceipts',
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
  'eth_sendRawTransaction',
  'eth_syncing',
  'net_listening',
  'net_peerCount',
  'web3_sha3',
] as const;

/** The interface of a bundler (ERC-7769). */
const BUNDLER_METHODS = [
  'eth_estimateUserOperationGas',
  'eth_getUserOperationByHash',
  'eth_getUserOperationReceipt',
  'eth_sendUserOperation',
  'eth_supportedEntryPoints',
] as const;

const BUILT_IN = new Map<string, Target>([
  ...NODE_METHODS.map((name) => [name, 'upstream'] as const),
  ...BUNDLER_METHODS.map((name) => [name, 'bundler'] as const),
]);

/**
 * @param network - Of the request.
 * @param method - A method that the service does not answer itself.
 * @returns Who is asked; undefined if it is not passed on.
 */
export function targetOf(network: Network, method: string): Target | undefined {
  const target = network.listedTarget(method) ?? BUILT_IN.get(method);
  return target && network.passes(target, method) ? target : undefined;
}
