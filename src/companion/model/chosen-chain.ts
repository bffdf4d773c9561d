import { useSession } from './session';
import { stored } from './stored';
import { type Chain } from './types';

/** The network that Home and Send show. */
export const chosenChainId = stored('keystead.network', (json) => (typeof json === 'string' ? json : undefined), '');

/** @returns The chosen network, or the first if the chosen one is gone; undefined if there are none. */
export function useChosenChain(): Chain | undefined {
  const { chains } = useSession();
  const chosen = chosenChainId.use();
  return chains.find(({ chainId }) => chainId === chosen) ?? chains[0];
}
