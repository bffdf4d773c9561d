import { version } from '../../../../package.json';
import { methodNotFound } from '../errors';
import { blockHash, blockParameter, uncleIndex } from '../params';
import { uncleByHash, uncleByNumber, uncleCountByHash, uncleCountByNumber } from '../uncles';
import type { RpcRequest } from '../json-rpc';
import type { Network } from '../network';
import type { Caller } from '../caller';
import { FILTER_METHODS } from '../upstreams/node-methods';
import { bindFilters } from './filters';
import { bindForwarded, FORWARDED_METHODS, isForwarded } from './forwarded';
import { type Bound, defineMethod, type Method } from './method';
import { bindSubscriptions, SUBSCRIPTION_METHODS } from './subscriptions';

/**
 * The methods that the service answers itself. Each has its name, its parameters, and how it is answered. Its price is
 * in `credits/prices.ts`, what it can cost in `costs.ts`, and the addresses that it is about in `keys/addresses.ts`.
 */
const NATIVE: readonly Method[] = [
  // EIP-695.
  defineMethod('eth_chainId', [], async ({ network: { chainId } }) => `0x${chainId.toString(16)}`),
  // The uncle, or how many the block has as a hex quantity; null for a block that does not exist.
  defineMethod('eth_getUncleByBlockHashAndIndex', [blockHash, uncleIndex], uncleByHash),
  defineMethod('eth_getUncleByBlockNumberAndIndex', [blockParameter, uncleIndex], uncleByNumber),
  defineMethod('eth_getUncleCountByBlockHash', [blockHash], uncleCountByHash),
  defineMethod('eth_getUncleCountByBlockNumber', [blockParameter], uncleCountByNumber),
  // The network id is always the chain id here.
  defineMethod('net_version', [], async ({ network: { chainId } }) => String(chainId)),
  defineMethod(
    'web3_clientVersion',
    [],
    async () => `Keystead/v${version}/${process.platform}-${process.arch}/node${process.version}`,
  ),
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
