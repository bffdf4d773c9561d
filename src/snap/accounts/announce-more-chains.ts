import type { KeyringAccount } from '@metamask/keyring-api';

import { type StoredAccount } from './account';
import { type AccountDeps } from './deps';

/**
 * Announces additional chains of a known account. MetaMask is notified before the change is stored, so an interrupted
 * creation can be repeated and MetaMask is notified again.
 *
 * @param stored - The account with the additional chains among its scopes, not stored yet.
 * @throws {WalletRefusedError} If MetaMask rejects the change. Nothing is changed then.
 * @throws {NotFoundError} If the account was deleted in the meantime.
 */
export async function announceMoreChains(
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
