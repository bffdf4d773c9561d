import type { KeyringAccount } from '@metamask/keyring-api';

import { type StoredAccount } from './account';
import { type AccountDeps } from './deps';

/**
 * Tells the wallet that an account it knows is on more chains. The wallet is told first: cut short in
 * between, the creation can be repeated, and the wallet is told again.
 *
 * @param widened - The account with the chains among its scopes, which is not stored yet.
 * @throws {WalletRefusedError} If the wallet does not take the change; then nothing is changed here either.
 * @throws {NotFoundError} If the account was deleted meanwhile.
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
