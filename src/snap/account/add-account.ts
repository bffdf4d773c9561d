import type { KeyringAccount } from '@metamask/keyring-api';

import { type StoredAccount } from './account';
import { announceAccount } from './announce-account';
import { type AccountDeps } from './deps';
import { type Creation } from './creation';

/**
 * Announces additional chains of a known account. MetaMask is notified before the change is stored, so an interrupted
 * creation can be repeated and MetaMask is notified again.
 *
 * @param stored - The account with the additional chains among its scopes, not stored yet.
 * @throws {WalletRefusedError} If MetaMask rejects the change. Nothing is changed then.
 * @throws {NotFoundError} If the account was deleted in the meantime.
 */
async function announceMoreChains(
  { account: { id, scopes } }: StoredAccount,
  { accounts, events, mutations }: Pick<AccountDeps, 'accounts' | 'events' | 'mutations'>,
): Promise<KeyringAccount> {
  const { account } = await accounts.get(id);
  const widened = { ...account, scopes } as StoredAccount['account'];
  await events.updated(widened);
  await mutations.runExclusive(async () => {
    const stored = await accounts.get(id);
    await accounts.put({ ...stored, account: { ...stored.account, scopes } } as StoredAccount);
  });
  return widened;
}

/**
 * Stores an account, then announces it to MetaMask. Runs for one account at a time.
 *
 * @param find - Determines the account to add from the current state.
 * @param correlationId - MetaMask's id for the request. It is returned with the event and not stored.
 * @throws {WalletRefusedError} If MetaMask rejects the account. A new account is then removed again.
 */
export const addAccount = (
  find: () => Promise<Creation>,
  deps: Pick<AccountDeps, 'accounts' | 'creations' | 'deleting' | 'events' | 'mutations'>,
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
