import { type Json } from '@metamask/snaps-sdk';

import { READS } from '../core/schemas/reads';
import { invalidParams, RpcError, serializeError } from './rpc-error';
import { type Store } from './store';

/** A chain the wallet has a node for. */
export type Network = { readonly chainId: `0x${string}`; readonly name: string; readonly rpcUrl: string };

type State = { readonly networks: readonly Network[]; readonly current: `0x${string}` };

/** Without a network that was added there is nothing to ask; the id is that of Ethereum, as in MetaMask. */
const NONE: State = { networks: [], current: '0x1' };

type Answer = { readonly result?: Json; readonly error?: { code: number; message: string; data?: Json } };

/** The wallet's own networks: those it was told of (EIP-3085), and the one that is selected (EIP-3326). */
export class Networks {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async #state(): Promise<State> {
    return (await this.#store.get<State>('networks')) ?? NONE;
  }

  async list(): Promise<readonly Network[]> {
    return (await this.#state()).networks;
  }

  async currentId(): Promise<`0x${string}`> {
    return (await this.#state()).current;
  }

  async find(chainId: string): Promise<Network | undefined> {
    return (await this.list()).find((network) => BigInt(network.chainId) === BigInt(chainId));
  }

  /** Adds or replaces a network, and selects it. */
  async add(network: Network): Promise<void> {
    await this.#store.update<State>('networks', (before = NONE) => ({
      networks: [...before.networks.filter(({ chainId }) => chainId !== network.chainId), network],
      current: network.chainId,
    }));
  }

  /** @throws {RpcError} 4902 if the wallet does not know the chain. */
  async select(chainId: string): Promise<void> {
    const network = await this.find(chainId);
    if (network === undefined)
      throw new RpcError(4902, `The simulated wallet does not know the chain ${chainId}. Add it first.`);
    await this.#store.update<State>('networks', (before = NONE) => ({ ...before, current: network.chainId }));
  }

  /**
   * Passes a request on to the node of a chain, the selected one if none is named.
   *
   * @throws {RpcError} The node's error, or that there is no node.
   */
  async request(method: string, params: Json = [], chainId?: string): Promise<Json> {
    const network = await this.find(chainId ?? (await this.currentId()));
    if (network === undefined)
      throw new RpcError(4901, 'The simulated wallet has no node for this chain. Add the network first.');
    let answer: Answer;
    try {
      const response = await fetch(network.rpcUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        credentials: 'omit',
      });
      answer = (await response.json()) as Answer;
    } catch (error) {
      throw new RpcError(-32603, `The node of ${network.name} did not answer. ${serializeError(error).message}`);
    }
    if (answer.error !== undefined) throw new RpcError(answer.error.code, answer.error.message, answer.error.data);
    return answer.result ?? null;
  }
}

/** What a snap may ask the wallet's node for: reading, as in MetaMask, and nothing that signs. */
const ANSWERED = new Set([
  ...READS,
  'eth_getUncleByBlockHashAndIndex',
  'eth_getUncleByBlockNumberAndIndex',
  'eth_getUncleCountByBlockHash',
  'eth_getUncleCountByBlockNumber',
  'net_version',
  'web3_clientVersion',
]);

export const isRead = (method: string): boolean => ANSWERED.has(method);

/** The chain of `wallet_switchEthereumChain`. */
export function chainOfSwitch(params: Json | undefined): string {
  const [{ chainId } = {}] = (Array.isArray(params) ? params : []) as { chainId?: unknown }[];
  if (typeof chainId !== 'string' || !/^0x[1-9a-f][0-9a-f]{0,15}$/iu.test(chainId))
    throw invalidParams('params[0].chainId: must be a chain id in hex, without leading zeros');
  return chainId;
}
