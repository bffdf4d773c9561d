import { useEffect, useState } from 'preact/hooks';

import { type AnyWallet, watchAnyWallet } from './any-wallet';

/** @returns The wallets of this browser that have announced themselves so far. */
export function useAnyWallets(): readonly AnyWallet[] {
  const [wallets, setWallets] = useState<readonly AnyWallet[]>([]);
  useEffect(
    () => watchAnyWallet((wallet) => setWallets((before) => [...before.filter(({ id }) => id !== wallet.id), wallet])),
    [],
  );
  return wallets;
}
