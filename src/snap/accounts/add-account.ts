import type { KeyringAccount } from '@metamask/keyring-api';

import { announceAccount } from './announce-account';
import { announceMoreChains } from './announce-more-chains';
import { type AccountDeps } from './deps';
import { type Creation } from './creation';

/**
 * Stores an account, then announces it to MetaMask. Runs for one account at a time.
 *
 * @param find - Determines the account to add from the current state.
 * @param correlationId - MetaMask's id for the request. It is returned with the event and not stored.
 * @throws {WalletRefusedError} If MetaMask rejects the account. A new account is then removed again.
 */
export const addAccount = (
  find: () => Promise<Creation>,
  deps: AccountDeps,
  correlationId?: string,
): Promise<KeyringAccount> =>
  deps.creations.runExclusive(async () => {
    const { stored, before } = await deps.mutations.runExclusive(async () => {
      const creation = await find();
      if (creation.isNew) await deps.accounts.put(creation.stored);
      return creation;
    });
    return before === undefined ? announceAccount(stored, deps, { correlationId }) : announceMoreChains(stored, deps);
  });
