import { type StoredAccount } from './account';
import { type AccountDeps } from './deps';

/**
 * Changes what the wallet shows of an account: stored first, told second, undone if the wallet refuses. No
 * lock is held while the wallet is told, since it may be waiting for us.
 *
 * @param change - From the account as it is stored now to what it shall be.
 * @throws {NotFoundError} If there is no such account.
 * @throws {WalletRefusedError} If the wallet does not take the change.
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
    // Should this fail as well, the change stays here: the wallet learns of it with the next one.
    await mutations.runExclusive(() => accounts.replace(before)).catch(() => undefined);
    throw refusal;
  }
  return after;
}
