import {
  type Address,
  type Chain as ViemChain,
  type Client,
  createClient,
  type Hex,
  http,
  type HttpTransport,
  numberToHex,
} from 'viem';

import { type Chain } from './types';
import { networkOfChain } from './network';
import { numberOf } from './units';

/** ENS is on these networks, everywhere at the same address. */
const ENS_CHAINS: ReadonlySet<bigint> = new Set([1n, 11_155_111n, 17_000n]);
const ENS_RESOLVER = '0xeeeeeeee14d718c2b47d9923deab1335e144eeee';

/** viem's description of a network, with the names that the snap has for it. */
export function viemChainOf(chain: Chain): ViemChain {
  const id = numberOf(chain.chainId);
  const { name, symbol, explorerUrl } = networkOfChain(chain);
  return {
    id: Number(id),
    name,
    nativeCurrency: { name: symbol, symbol, decimals: 18 },
    rpcUrls: { default: { http: [chain.rpcUrl] } },
    ...(explorerUrl !== undefined && { blockExplorers: { default: { name: 'Explorer', url: explorerUrl } } }),
    ...(ENS_CHAINS.has(id) && { contracts: { ensUniversalResolver: { address: ENS_RESOLVER } } }),
  };
}

/** A viem client of a network's node. */
export type NodeClient = Client<HttpTransport, ViemChain>;

const nodes = new Map<string, NodeClient>();

/** @returns The viem client of the network's node: one for each URL, so that look-ups share it. */
export function nodeOf(chain: Chain): NodeClient {
  const key = JSON.stringify([chain.chainId, chain.rpcUrl, chain.name, chain.symbol]);
  const node =
    nodes.get(key) ??
    createClient({
      chain: viemChainOf(chain),
      transport: http(chain.rpcUrl, { fetchOptions: { credentials: 'omit' }, retryCount: 1, timeout: 15_000 }),
      pollingInterval: 1000,
    });
  nodes.set(key, node);
  return node;
}

type GasCall = { readonly from: Address; readonly to: Address; readonly value: bigint; readonly data?: Hex };

/**
 * `eth_estimateGas`. viem's action of this name brings along what prepares transactions.
 *
 * @throws If the node does not respond, or the call fails.
 */
export const estimateGas = async (node: NodeClient, { from, to, value, data }: GasCall): Promise<bigint> =>
  BigInt(
    await node.request({
      method: 'eth_estimateGas',
      params: [{ from, to, value: numberToHex(value), ...(data !== undefined && { data }) }],
    }),
  );
