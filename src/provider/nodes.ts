import { JsonRpcClient } from '../clients/json-rpc';
import { CODES, ProviderRpcError } from './rpc-error';
import { type Eip1193Provider } from './types';
import { unknown } from '../core/schemas/struct';

/**
 * A node of a chain, for what only reads: its URL (https, or http on this machine), or anything with EIP-1193's
 * `request`, such as a client or a transport of viem. With `on`, its `message` events are passed on.
 */
export type Node = string | Eip1193Provider;

/** Logs of many blocks are longer than what accounts ask for. */
const MAX_BYTES = 16 * 1024 * 1024;
const TIMEOUT = 30_000;

/** @throws {InvalidParamsError} If a URL is none that may be used. */
export function toNode(node: Node): Eip1193Provider {
  if (typeof node !== 'string') return node;
  const client = new JsonRpcClient('node', { url: node, timeout: TIMEOUT, maxBytes: MAX_BYTES });
  return {
    request: async ({ method, params = [] }) => {
      if (!Array.isArray(params)) throw new ProviderRpcError(CODES.invalidParams, 'params: must be a list');
      return client.request(method, params, unknown());
    },
  };
}
