import { useEffect, useState } from 'preact/hooks';

import { messageOf } from './errors';

export type Lookup<T> = { readonly value?: T; readonly error?: string; readonly isBusy: boolean };

/** Runs `work` at first and whenever one of `keys` changes. */
export function useLookup<T>(work: () => Promise<T>, keys: readonly unknown[]): Lookup<T> {
  const [lookup, setLookup] = useState<Lookup<T>>({ isBusy: true });
  useEffect(() => {
    let isWanted = true;
    setLookup({ isBusy: true });
    work().then(
      (value) => {
        if (isWanted) setLookup({ value, isBusy: false });
      },
      (error: unknown) => {
        if (isWanted) setLookup({ error: messageOf(error), isBusy: false });
      },
    );
    return () => {
      isWanted = false;
    };
  }, keys);
  return lookup;
}
