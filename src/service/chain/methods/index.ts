import { methodNotFound } from '../errors';
import type { RpcRequest } from '../json-rpc';
import type { Network } from '../network';
import type { RequestSubscriptions } from '../subscriptions/client-subscriptions';
import { ethChainId } from './eth-chain-id';
import { ethGetUncleByBlockHashAndIndex } from './eth-get-uncle-by-block-hash-and-index';
import { ethGetUncleByBlockNumberAndIndex } from './eth-get-uncle-by-block-number-and-index';
import { ethGetUncleCountByBlockHash } from './eth-get-uncle-count-by-block-hash';
import { ethGetUncleCountByBlockNumber } from './eth-get-uncle-count-by-block-number';
import { bindForwarded, FORWARDED_METHODS } from './forwarded';
import type { Bound, Method } from './method';
import { netVersion } from './net-version';
import { bindSubscriptions, SUBSCRIPTION_METHODS } from './subscriptions';
import { web3ClientVersion } from './web3-client-version';

const NATIVE: readonly Method[] = [
  ethChainId,
  ethGetUncleByBlockHashAndIndex,
  ethGetUncleByBlockNumberAndIndex,
  ethGetUncleCountByBlockHash,
  ethGetUncleCountByBlockNumber,
  netVersion,
  web3ClientVersion,
];

/** The methods that a network may answer without any list of the operator. */
export const METHOD_NAMES: readonly string[] = [
  ...NATIVE.map(({ name }) => name),
  ...SUBSCRIPTION_METHODS,
  ...FORWARDED_METHODS,
];

const BY_NAME = new Map(NATIVE.map((method) => [method.name, method]));

/**
 * Decides how to answer a request, before it costs anything.
 *
 * @param network - The request's network.
 * @param request - The request.
 * @param client - The subscriptions of the WebSocket that it came over; undefined over HTTP.
 * @returns The bound request.
 * @throws {RpcError} -32601 for a method that is neither answered nor forwarded, -32602 for invalid parameters.
 */
export function bindRequest(network: Network, request: RpcRequest, client?: RequestSubscriptions): Bound {
  const { method, params } = request;
  const native = BY_NAME.get(method);
  if (native) return native.bind(params);
  const bound = bindSubscriptions(network, request, client) ?? bindForwarded(network, request);
  if (!bound) throw methodNotFound(method);
  return bound;
}
