import type { KeyringAccount } from '@metamask/keyring-api';

import { announceAccount } from './announce-account';
import { announceMoreChains } from './announce-more-chains';
import { type AddAccountDeps } from './deps';
import { type Wanted } from './wanted';

/**
 * Stores an account and tells the wallet of it, in this order, one account at a time.
 *
 * @param find - Tells which account is wanted, from what is stored at that moment.
 * @param correlationId - What the wallet sent along, to be sent back and not kept.
 * @throws {WalletRefusedError} If the wallet does not take it; a new account is then not stored either.
 */
export const addAccount = (
  find: () => Promise<Wanted>,
  deps: AddAccountDeps,
  correlationId?: string,
): Promise<KeyringAccount> =>
  deps.creations.runExclusive(async () => {
    const { stored, before } = await deps.mutations.runExclusive(async () => {
      const wanted = await find();
      if (wanted.isNew) await deps.accounts.put(wanted.stored);
      return wanted;
    });
    return before === undefined ? announceAccount(stored, deps, correlationId) : announceMoreChains(stored, deps);
  });
