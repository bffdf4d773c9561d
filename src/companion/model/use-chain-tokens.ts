import { useMemo } from 'preact/hooks';

import { type Token, watchedTokens } from './tokens';
import { type Chain } from './types';

/** @returns The watched tokens of a network: the same list until it changes. */
export function useChainTokens(chain: Chain | undefined): readonly Token[] {
  const all = watchedTokens.use();
  return useMemo(() => all.filter(({ chainId }) => chainId === chain?.chainId), [all, chain?.chainId]);
}
