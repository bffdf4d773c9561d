import { useEffect, useRef, useState } from 'preact/hooks';

import { messageOf } from './errors';
import { nodeOf } from './node';
import { type Portfolio, readPortfolio } from './portfolio';
import { type Token } from './tokens';
import { type Account, type Chain } from './types';

const POLL_INTERVAL = 4000;

type Read = { readonly portfolio?: Portfolio; readonly error?: string };

export type PortfolioRead = Read & {
  /** Reads at once. */
  readonly reread: () => Promise<void>;
};

/** Reads what the accounts have on a network, and again every 4 s while the page is visible. */
export function usePortfolio(
  chain: Chain | undefined,
  accounts: readonly Account[],
  tokens: readonly Token[],
): PortfolioRead {
  const [read, setRead] = useState<Read>({});
  const latest = useRef(() => Promise.resolve());
  const addresses = accounts.map(({ address }) => address as `0x${string}`);
  useEffect(() => {
    setRead({});
    if (chain === undefined) return undefined;
    let isShown = true;
    const lookUp = async (): Promise<void> => {
      if (document.hidden) return;
      try {
        const portfolio = await readPortfolio(nodeOf(chain), addresses, tokens);
        if (isShown) setRead({ portfolio });
      } catch (error) {
        // What was read before stays, so that one failure does not empty the page.
        if (isShown) setRead(({ portfolio }) => ({ ...(portfolio && { portfolio }), error: messageOf(error) }));
      }
    };
    latest.current = lookUp;
    void lookUp();
    const timer = setInterval(() => void lookUp(), POLL_INTERVAL);
    return () => {
      isShown = false;
      clearInterval(timer);
    };
  }, [chain?.chainId, chain?.rpcUrl, addresses.join(), tokens]);
  return { ...read, reread: () => latest.current() };
}
