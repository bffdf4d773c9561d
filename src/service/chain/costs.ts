import type { CostName } from '../costs';
import { METHOD_NAMES } from './methods';
import { FORWARDED_METHODS } from './methods/forwarded';
import { SUBSCRIPTION_METHODS } from './methods/subscriptions';
import { FILTER_METHODS } from './upstreams/node-methods';

/** What the methods that are answered here cost besides their request. */
const NATIVE: Readonly<Record<string, readonly CostName[]>> = {
  eth_chainId: [],
  eth_getUncleByBlockHashAndIndex: ['lookup', 'node'],
  eth_getUncleByBlockNumberAndIndex: ['lookup', 'node'],
  eth_getUncleCountByBlockHash: ['lookup', 'node'],
  eth_getUncleCountByBlockNumber: ['lookup', 'node'],
  net_version: [],
  web3_clientVersion: [],
};

const OF_REQUESTS: readonly CostName[] = ['credits', 'body', 'rest', 'json', 'batch', 'socket', 'message'];

/** @returns What a request for a method can cost; undefined if nobody has said. */
function costsOf(method: string): readonly CostName[] | undefined {
  if (SUBSCRIPTION_METHODS.some((each) => each === method)) return [...OF_REQUESTS, 'subscription', 'notification'];
  if (FILTER_METHODS.some((each) => each === method)) return [...OF_REQUESTS, 'filter', 'node'];
  if (FORWARDED_METHODS.includes(method)) return [...OF_REQUESTS, 'node'];
  const own = NATIVE[method];
  return own && [...OF_REQUESTS, ...own];
}

/** What the routes beside JSON-RPC can cost. */
export const ROUTE_COSTS: readonly (readonly [route: string, costs: readonly CostName[]])[] = [
  ['GET /v3/KEY/usage', ['rest', 'report']],
];

/** Every method, with what a request for it can cost. */
export const METHOD_COSTS: readonly (readonly [method: string, costs: readonly CostName[] | undefined])[] =
  METHOD_NAMES.map((method) => [method, costsOf(method)]);
