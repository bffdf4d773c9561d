import { methodNotFound } from '../errors';
import type { RpcRequest } from '../json-rpc';
import type { Network } from '../network';
import type { Caller } from '../caller';
import { FILTER_METHODS } from '../upstreams/node-methods';
import { ethChainId } from './eth-chain-id';
import { ethGetUncleByBlockHashAndIndex } from './eth-get-uncle-by-block-hash-and-index';
import { ethGetUncleByBlockNumberAndIndex } from './eth-get-uncle-by-block-number-and-index';
import { ethGetUncleCountByBlockHash } from './eth-get-uncle-count-by-block-hash';
import { ethGetUncleCountByBlockNumber } from './eth-get-uncle-count-by-block-number';
import { bindFilters } from './filters';
import { bindForwarded, FORWARDED_METHODS, isForwarded } from './forwarded';
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
  ...FILTER_METHODS,
  ...FORWARDED_METHODS,
];

const BY_NAME = new Map(NATIVE.map((method) => [method.name, method]));

/**
 * @returns Whether a request for the method may be long, because its parameters are passed on, or checked before they
 * are. Others have short ones.
 */
export const mayBeLong = (network: Network, method: string): boolean =>
  method === 'eth_newFilter' || isForwarded(network, method);

/**
 * Decides how to answer a request, before it costs anything.
 *
 * @param caller - Where the request comes from.
 * @param request - The request.
 * @returns The bound request.
 * @throws {RpcError} -32601 for a method that is neither answered nor forwarded, -32602 for invalid parameters.
 */
export function bindRequest(caller: Caller, request: RpcRequest): Bound {
  const { network, subscriptions } = caller;
  const { method, params } = request;
  const native = BY_NAME.get(method);
  if (native) return native.bind(params);
  const bound =
    bindSubscriptions(network, request, subscriptions) ??
    bindFilters(network, request, caller) ??
    bindForwarded(network, request);
  if (!bound) throw methodNotFound(method);
  return bound;
}
