import { type StoredAccount } from './account';
import { type AccountDeps } from './deps';

/**
 * Changes an account's public description. The change is stored, then announced, and undone if MetaMask rejects it. No
 * lock is held while MetaMask is notified, because it may be waiting for us.
 *
 * @param change - Returns the changed account for the stored one.
 * @throws {NotFoundError} If the account does not exist.
 * @throws {WalletRefusedError} If MetaMask rejects the change.
 */
export async function changeAccount(
  id: string,
  change: (stored: StoredAccount) => StoredAccount,
  { accounts, events, mutations }: Pick<AccountDeps, 'accounts' | 'events' | 'mutations'>,
): Promise<StoredAccount> {
  const [before, after] = await mutations.runExclusive(async () => {
    const stored = await accounts.get(id);
    const changed = change(stored);
    await accounts.put(changed);
    return [stored, changed] as const;
  });
  try {
    await events.updated(after.account);
  } catch (refusal) {
    // If this fails too, the change stays here and MetaMask learns of it with the next one.
    await mutations.runExclusive(() => accounts.replace(before)).catch(() => undefined);
    throw refusal;
  }
  return after;
}
