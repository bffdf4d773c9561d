import { useContext, useEffect, useState } from 'preact/hooks';

import { messageOf } from './errors';
import { SessionContext } from './session';

export type Lookup<T> = { readonly value?: T; readonly error?: string; readonly isBusy: boolean };

/** Runs `work` at first, whenever one of `keys` changes, and after the wallet was unlocked. */
export function useLookup<T>(work: () => Promise<T>, keys: readonly unknown[]): Lookup<T> {
  const [lookup, setLookup] = useState<Lookup<T>>({ isBusy: true });
  const unlocks = useContext(SessionContext)?.unlocks;
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
  }, [...keys, unlocks]);
  return lookup;
}

/** As `useLookup`, but what was found before stays while it is looked up again, and if that fails. */
export function useLastLookup<T>(work: () => Promise<T>, keys: readonly unknown[]): Lookup<T> {
  const lookup = useLookup(work, keys);
  const [last, setLast] = useState(lookup);
  useEffect(() => {
    if ('value' in lookup) setLast(lookup);
  }, [lookup]);
  const known = 'value' in lookup ? lookup : last;
  return 'value' in known ? { ...lookup, value: known.value as T } : lookup;
}
