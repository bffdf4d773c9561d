import { JsonRpcClient } from '../clients/json-rpc';
import { CODES, ProviderRpcError } from './rpc-error';
import { type Eip1193Provider } from './types';

/**
 * A node that answers the read methods of a chain: its URL (https, or http on this machine), or an object with the
 * `request` method of EIP-1193, such as a viem client. If the object has `on`, its `message` events are forwarded.
 *
 * @see https://eips.ethereum.org/EIPS/eip-1193
 * @example
 * import { createPublicClient, http } from 'viem';
 * import { mainnet } from 'viem/chains';
 * import { createKeysteadProvider, type Node } from 'keystead/provider';
 *
 * const ethereum: Node = createPublicClient({ chain: mainnet, transport: http() });
 * const optimism: Node = 'https://optimism.example';
 * const provider = createKeysteadProvider({ nodes: { 1: ethereum, 10: optimism } });
 */
export type Node = string | Eip1193Provider;

/** More than the client's default, because the logs of many blocks are long. */
const MAX_BYTES = 16 * 1024 * 1024;
/** A node's results are passed on as they are. */
const anyResult = {
  create: (value: unknown): unknown => {
    if (value === undefined) throw new TypeError('The result is missing.');
    return value;
  },
};
/** Milliseconds. */
const TIMEOUT = 30_000;

/** @throws {InvalidParamsError} If the URL is neither https nor http on this machine. */
export function toNode(node: Node): Eip1193Provider {
  if (typeof node !== 'string') return node;
  const client = new JsonRpcClient('node', { url: node, timeout: TIMEOUT, maxBytes: MAX_BYTES });
  return {
    request: async ({ method, params = [] }) => {
      if (!Array.isArray(params)) throw new ProviderRpcError(CODES.invalidParams, 'params: must be a list');
      return client.request(method, params, anyResult);
    },
  };
}
