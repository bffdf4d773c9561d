import { invalidParams, methodNotFound, notificationsUnsupported, subscriptionNotFound } from '../errors';
import type { RpcRequest } from '../json-rpc';
import type { Network } from '../network';
import { positional } from '../params';
import type { RequestSubscriptions } from '../subscriptions/client-subscriptions';
import { parseSubscription } from '../subscriptions/subscription';
import type { Bound } from './method';

export const SUBSCRIPTION_METHODS = ['eth_subscribe', 'eth_unsubscribe'] as const;

const NO_SOCKET =
  'no node of this network has a WebSocket (the operator sets networks[].upstream.wsUrl); poll eth_blockNumber, eth_getLogs or eth_getTransactionReceipt';

function idParameter(value: unknown, position: number): string {
  if (typeof value !== 'string') throw invalidParams(`invalid argument ${position}: must be the ID of a subscription`);
  return value;
}

/**
 * Binds `eth_subscribe` and `eth_unsubscribe`.
 *
 * @param network - The request's network.
 * @param request - A request.
 * @param client - The subscriptions of the WebSocket that it came over; undefined over HTTP.
 * @returns The bound request; undefined for any other method.
 * @throws {RpcError} -32601 over HTTP, and if no node of the network has a WebSocket; -32602 for invalid parameters.
 */
export function bindSubscriptions(
  { feed }: Network,
  { method, params }: RpcRequest,
  client: RequestSubscriptions | undefined,
): Bound | undefined {
  if (method !== 'eth_subscribe' && method !== 'eth_unsubscribe') return undefined;
  if (!client) throw notificationsUnsupported();
  if (!feed) throw methodNotFound(method, NO_SOCKET);
  if (method === 'eth_subscribe') {
    const subscription = parseSubscription(params);
    return (_, deadline) => client.subscribe(feed, subscription, deadline);
  }
  const [id] = positional<[string]>(params, [idParameter]);
  return () => {
    if (!client.unsubscribe(id)) throw subscriptionNotFound();
    return true;
  };
}
