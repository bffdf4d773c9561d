import { type Account, type Chain } from './types';
import { usableOn, type Usable } from './usable';
import { useLookup } from './use-lookup';

/** Looks which accounts their keys control on a network. @returns undefined until it is known. */
export const useUsable = (chain: Chain | undefined, accounts: readonly Account[]): readonly Usable[] | undefined =>
  useLookup(
    () => (chain === undefined ? Promise.resolve([]) : usableOn(accounts, chain)),
    [chain?.chainId, chain?.rpcUrl, accounts.map(({ address }) => address).join()],
  ).value;
