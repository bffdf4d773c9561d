import { type Json } from '@metamask/snaps-sdk';

import { READS, UNCLE_READS } from '../core/methods/node-reads';
import { invalidParams, RpcError, serializeError } from './rpc-error';
import { type Store } from './store';

/** A chain for which the wallet has a node. */
export type Network = { readonly chainId: `0x${string}`; readonly name: string; readonly rpcUrl: string };

type State = { readonly networks: readonly Network[]; readonly current: `0x${string}` };

/** The state before a network is added. As in MetaMask, the selected chain is Ethereum. */
const NONE: State = { networks: [], current: '0x1' };

type Answer = { readonly result?: Json; readonly error?: { code: number; message: string; data?: Json } };

/** The wallet's own networks: those that were added (EIP-3085), and the selected one (EIP-3326). */
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

  /** @throws {RpcError} 4902 if the chain was not added to the wallet. */
  async select(chainId: string): Promise<void> {
    const network = await this.find(chainId);
    if (network === undefined)
      throw new RpcError(4902, `Unknown chain ${chainId}. Add it to the simulated wallet first.`);
    await this.#store.update<State>('networks', (before = NONE) => ({ ...before, current: network.chainId }));
  }

  /**
   * Forwards a request to the node of a chain.
   *
   * @param chainId - Defaults to the selected chain.
   * @throws {RpcError} The node's error; 4901 if the chain has no node; -32603 if the node does not respond.
   */
  async request(method: string, params: Json = [], chainId?: string): Promise<Json> {
    const network = await this.find(chainId ?? (await this.currentId()));
    if (network === undefined)
      throw new RpcError(4901, 'The simulated wallet has no node for this chain. Add its network first.');
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
      throw new RpcError(-32603, `No response from the node of ${network.name}. ${serializeError(error).message}`);
    }
    if (answer.error !== undefined) throw new RpcError(answer.error.code, answer.error.message, answer.error.data);
    return answer.result ?? null;
  }
}

/** The methods that a snap may send to the wallet's node: read methods only, as in MetaMask. */
const READ_METHODS = new Set([...READS, ...UNCLE_READS, 'net_version', 'web3_clientVersion']);

export const isRead = (method: string): boolean => READ_METHODS.has(method);

/** @returns The chain id in the parameters of `wallet_switchEthereumChain`. @throws {RpcError} If it is invalid. */
export function chainOfSwitch(params: Json | undefined): string {
  const [{ chainId } = {}] = (Array.isArray(params) ? params : []) as { chainId?: unknown }[];
  if (typeof chainId !== 'string' || !/^0x[1-9a-f][0-9a-f]{0,15}$/iu.test(chainId))
    throw invalidParams('params[0].chainId: must be a chain id in hex, without leading zeros');
  return chainId;
}
