import type { KeyringAccount } from '@metamask/keyring-api';

import { WalletRefusedError } from '../../core/errors';
import { type StoredAccount } from './account';
import { defaultName } from '../../core/accounts/account-name';
import { namedParts } from './account-name';
import { type AccountDeps } from './deps';

/** @returns The account name suggested to MetaMask. */
function nameOf(stored: StoredAccount): string {
  const { label } = stored.account.options;
  return typeof label === 'string' ? label : defaultName(namedParts(stored));
}

/**
 * Undoes a failed announcement. MetaMask may have failed after adding the account, so it is told to delete it, and
 * neither side keeps it. If the account cannot be removed here, it stays unannounced and the next creation announces it
 * again.
 */
async function undoAnnouncement(
  id: string,
  { accounts, deleting, events, mutations }: Pick<AccountDeps, 'accounts' | 'deleting' | 'events' | 'mutations'>,
): Promise<void> {
  const undoing = events
    .deleted(id)
    .catch(() => undefined)
    .then(() => mutations.runExclusive(() => accounts.remove(id)))
    .catch(() => undefined);
  deleting.set(id, undoing);
  await undoing;
  deleting.delete(id);
}

/**
 * Announces a stored account to MetaMask and marks it as announced.
 *
 * No lock is held while waiting for MetaMask, because it may request the deletion of this account before it responds.
 *
 * @param options - `correlationId`: MetaMask's id for the request. It is returned with the event and not stored.
 * `isKept`: the account stays if MetaMask refuses it.
 * @throws {WalletRefusedError} If MetaMask does not add the account. A new account is then removed again.
 */
export async function announceAccount(
  stored: StoredAccount,
  deps: Pick<AccountDeps, 'accounts' | 'deleting' | 'events' | 'mutations'>,
  {
    correlationId,
    isKept = stored.announced,
  }: { readonly correlationId?: string | undefined; readonly isKept?: boolean },
): Promise<KeyringAccount> {
  const { accounts, events, mutations } = deps;
  const { account } = stored;
  try {
    await events.created(account, nameOf(stored), correlationId);
  } catch (refusal) {
    if (!isKept) await undoAnnouncement(account.id, deps);
    throw refusal;
  }
  if (stored.announced) return account;
  const isThere = await mutations.runExclusive(() => accounts.replace({ ...stored, announced: true }));
  if (!isThere) {
    // The account was deleted here before MetaMask added it, so MetaMask may still have it.
    await undoAnnouncement(account.id, deps);
    throw new WalletRefusedError('The wallet added the account and then deleted it.');
  }
  return account;
}
