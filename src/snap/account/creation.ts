import { type StoredAccount } from './account';
import { type AccountDeps } from './deps';
import { unlessDamaged } from './repository';

/** The account that a creation request leads to, and what is already stored under its id. */
export type Creation = {
  readonly stored: StoredAccount;
  /** The account is not stored yet, or not in this form. */
  readonly isNew: boolean;
  /** The account as MetaMask knows it. If present, an update is announced instead of a new account. */
  readonly before?: StoredAccount;
};

/** @returns The new account, or the stored one with the new account's chains added. */
export async function creationOf(made: StoredAccount, { accounts }: Pick<AccountDeps, 'accounts'>): Promise<Creation> {
  // A damaged entry counts as absent: the same account replaces it.
  const stored = await unlessDamaged(accounts.find(made.account.id), undefined);
  if (stored === undefined) return { stored: made, isNew: true };
  const scopes = [...new Set([...stored.account.scopes, ...made.account.scopes])];
  if (scopes.length === stored.account.scopes.length) return { stored, isNew: false };
  const widened = { ...stored, account: { ...stored.account, scopes } } as StoredAccount;
  return stored.announced ? { stored: widened, isNew: false, before: stored } : { stored: widened, isNew: true };
}
