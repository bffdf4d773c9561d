import { type StoredAccount } from './account';
import { type AccountDeps } from './deps';
import { unlessDamaged } from './repository';

/** An account that a creation asks for, and what is stored under its id already. */
export type Wanted = {
  readonly stored: StoredAccount;
  /** It is not stored yet, or not like this. */
  readonly isNew: boolean;
  /** The wallet knows the account like this, and must be told of a change instead of a new account. */
  readonly before?: StoredAccount;
};

/** @returns An account as it was made; what is stored of it already counts, and is only widened to its chains. */
export async function wantedLike(made: StoredAccount, { accounts }: Pick<AccountDeps, 'accounts'>): Promise<Wanted> {
  // What is stored but damaged counts as none: it is the same account that takes its place.
  const stored = await unlessDamaged(accounts.find(made.account.id), undefined);
  if (stored === undefined) return { stored: made, isNew: true };
  const scopes = [...new Set([...stored.account.scopes, ...made.account.scopes])];
  if (scopes.length === stored.account.scopes.length) return { stored, isNew: false };
  const widened = { ...stored, account: { ...stored.account, scopes } } as StoredAccount;
  return stored.announced ? { stored: widened, isNew: false, before: stored } : { stored: widened, isNew: true };
}
