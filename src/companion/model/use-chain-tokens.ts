import { useMemo } from 'preact/hooks';

import { useViewing } from './session';
import { type Token, tokensOn, watchedTokens } from './tokens';
import { type Chain } from './types';

/** @returns The watched tokens of a network, here and in the snap: the same list until it changes. */
export function useChainTokens(chain: Chain | undefined): readonly Token[] {
  const { tokens: inSnap } = useViewing();
  const here = watchedTokens.use();
  return useMemo(() => tokensOn(chain?.chainId, here, inSnap), [here, inSnap, chain?.chainId]);
}
