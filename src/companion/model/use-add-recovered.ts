import { readAddress } from './read-fields';
import { addRecovered } from './recover';
import { useSession } from './session';
import { lostName } from './sheet';
import { type Account } from './types';
import { type Action, useAction } from './use-action';

/** A Safe that a recovery gave to the key of one of the Safes of the recovery phrase. */
type Recovered = { readonly chainId: string; readonly address: string; readonly key: Account };

/** Adds recovered accounts. Keystead shows the address of each and asks first. */
export function useAddRecovered(): {
  readonly action: Action;
  /** The work of the action. */
  readonly add: (recovered: Recovered) => Promise<string>;
} {
  const { client, refresh } = useSession();
  const action = useAction('Look for Keystead’s dialog, and compare the address there.');
  const add = async ({ chainId, address, key }: Recovered): Promise<string> => {
    const safe = readAddress(address, 'Address');
    await addRecovered(client, { chainId, address: safe, index: Number(key.options.index), label: lostName(safe) });
    await refresh();
    return 'Added, with its old address.';
  };
  return { action, add };
}
