import { type Json } from '@metamask/snaps-sdk';

import { type ChainDeps } from './deps';
import { getChains } from './get-chains';
import { removeChain } from './remove-chain';
import { setChain } from './set-chain';

export type ChainMethodName = 'keystead_setChain' | 'keystead_getChains' | 'keystead_removeChain';

/** The network configuration methods. A name without a handler does not compile. */
export const CHAIN_METHODS: Readonly<Record<ChainMethodName, (params: unknown, deps: ChainDeps) => Promise<unknown>>> =
  {
    keystead_setChain: setChain,
    keystead_getChains: getChains,
    keystead_removeChain: removeChain,
  };

/** @returns Whether the table has this method. Only own properties count. */
export const isChainMethod = (name: string): name is ChainMethodName => Object.hasOwn(CHAIN_METHODS, name);

/** Runs a network configuration method. */
export const answerChainMethod = async (name: ChainMethodName, params: unknown, deps: ChainDeps): Promise<Json> =>
  (await CHAIN_METHODS[name](params, deps)) as Json;
