import { useEffect, useState } from 'preact/hooks';

import { rpc } from './json-rpc';
import { messageOf } from './errors';
import { type Chain } from './types';

/** The balance per chain: in wei, or the reason why it is unavailable. */
export type Balances = Readonly<Record<string, bigint | string>>;

const POLL_INTERVAL = 4000;

/** Reads the balances of an address, again every 4 s while they are shown. */
export function useBalances(address: string, chains: readonly Chain[]): Balances {
  const [balances, setBalances] = useState<Balances>({});
  useEffect(() => {
    let isShown = true;
    const lookUp = async (): Promise<void> => {
      const entries = await Promise.all(
        chains.map(async ({ chainId, rpcUrl }) => {
          try {
            return [chainId, BigInt(await rpc<string>(rpcUrl, 'eth_getBalance', [address, 'latest']))] as const;
          } catch (error) {
            return [chainId, messageOf(error)] as const;
          }
        }),
      );
      if (isShown) setBalances(Object.fromEntries(entries));
    };
    void lookUp();
    const timer = setInterval(() => void lookUp(), POLL_INTERVAL);
    return () => {
      isShown = false;
      clearInterval(timer);
    };
  }, [address, chains]);
  return balances;
}
