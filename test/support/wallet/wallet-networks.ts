import { type Json } from '@metamask/snaps-sdk';

/** An error response of the wallet or its node. */
export type Refused = { readonly code: number; readonly message: string; readonly data?: Json };

/** @throws {Refused} As MetaMask wraps an error of the network's node. */
export function nodeError(code: number, message: string, data?: Json): never {
  const inner = { code, message, ...(data !== undefined && { data }) };
  throw { code: -32603, message: 'Internal JSON-RPC error.', data: inner } satisfies Refused;
}

type Answers = Record<string, (params: readonly Json[], chainId: bigint) => Json | Promise<Json>>;

/**
 * The wallet's networks, as a snap sees them through its `ethereum` global: one network is selected, and nodes answer
 * for it.
 */
export class WalletNetworks {
  /** The chain id of the network that is selected for the snap. */
  selected = 1n;
  /** The chain ids of the networks that the wallet has. */
  known: readonly bigint[] = [1n, 10n, 8453n, 42161n];
  /** What the nodes answer. A test may change it. They refuse any other method. */
  answers: Answers = {};
  /** What was asked, with the network that it was asked of. */
  readonly asked: { readonly method: string; readonly chainId: bigint }[] = [];

  /** @returns undefined if the request is for the wallet itself. */
  async request({ method, params }: { readonly method: string; readonly params?: unknown }): Promise<Json | undefined> {
    if (method.startsWith('snap_')) return undefined;
    const chainId = this.selected;
    this.asked.push({ method, chainId });
    const list = (params ?? []) as readonly Json[];
    const answer = Object.hasOwn(this.answers, method) ? this.answers[method] : undefined;
    if (answer !== undefined) return await answer(list, chainId);
    if (method === 'eth_chainId') return `0x${chainId.toString(16)}`;
    if (method === 'wallet_switchEthereumChain') return this.#select(list);
    throw { code: -32601, message: `The method "${method}" does not exist / is not available.` } satisfies Refused;
  }

  #select([wanted]: readonly Json[]): null {
    const chainId = BigInt((wanted as { chainId: string }).chainId);
    if (!this.known.includes(chainId))
      throw { code: 4902, message: 'Unrecognized chain ID. Try adding the chain first.' } satisfies Refused;
    this.selected = chainId;
    return null;
  }
}
