import { invalidParams, methodNotFound } from '../errors';
import type { FilterCaller, Filters } from '../filters/filters';
import { parseFilter } from '../filters/log-filter';
import type { RpcRequest } from '../json-rpc';
import { JsonPieces, JsonText } from '../json-text';
import { type Network, WHAT } from '../network';
import { positional } from '../params';
import type { FilterMethod } from '../upstreams/node-methods';
import type { Bound } from './method';

type Bind = (method: string, params: unknown, filters: Filters, caller: FilterCaller) => Bound;

function idParameter(value: unknown, position: number): string {
  if (typeof value !== 'string') throw invalidParams(`invalid argument ${position}: must be the ID of a filter`);
  return value;
}

const making =
  (read: (params: unknown) => readonly unknown[]): Bind =>
  (method, params, filters, caller) => {
    const text = JSON.stringify(read(params));
    return (_, deadline) => filters.create(caller, method, text, deadline);
  };

const reading: Bind = (method, params, filters, caller) => {
  const [id] = positional<[string]>(params, [idParameter]);
  return async (_, deadline, room) => {
    const result = await filters.ask(caller, method, id, deadline, room);
    return result instanceof JsonPieces ? result : new JsonText(result.text);
  };
};

const ending: Bind = (_method, params, filters, caller) => {
  const [id] = positional<[string]>(params, [idParameter]);
  return () => filters.end(caller, id);
};

const noParams = (params: unknown) => positional<[]>(params, []);

/** As for the subscription: true for whole transactions, if the node offers that. */
function pendingParams(params: unknown): readonly unknown[] {
  if (Array.isArray(params) && params.length === 0) return [];
  const [isWhole] = positional<[unknown]>(params, [(value) => value]);
  if (isWhole !== null && typeof isWhole !== 'boolean')
    throw invalidParams('invalid argument 0: must be true, for whole transactions, or false');
  return isWhole === true ? [true] : [];
}

const BINDERS: Readonly<Record<FilterMethod, Bind>> = {
  eth_getFilterChanges: reading,
  eth_getFilterLogs: reading,
  eth_newBlockFilter: making(noParams),
  eth_newFilter: making((params) => [parseFilter(params)]),
  eth_newPendingTransactionFilter: making(pendingParams),
  eth_uninstallFilter: ending,
};

const BY_NAME = new Map<string, Bind>(Object.entries(BINDERS));

/**
 * Binds the methods of filters.
 *
 * @param network - The request's network.
 * @param request - A request.
 * @param caller - The key, and what it holds.
 * @returns The bound request; undefined for any other method.
 * @throws {RpcError} -32601 if the network has no node for it; -32602 for invalid parameters.
 */
export function bindFilters(network: Network, { method, params }: RpcRequest, caller: FilterCaller): Bound | undefined {
  const bind = BY_NAME.get(method);
  if (!bind) return undefined;
  const { filters } = network;
  if (!filters) throw methodNotFound(method, `this network has no ${WHAT.upstream}`);
  if (!network.passes('upstream', method)) throw methodNotFound(method);
  return bind(method, params, filters, caller);
}
