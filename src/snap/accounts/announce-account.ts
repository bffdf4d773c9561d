import type { KeyringAccount } from '@metamask/keyring-api';

import { KINDS } from '../../core/erc4337/kinds';
import { WalletRefusedError } from '../../core/errors';
import { isSmart, type StoredAccount } from './account';
import { type AccountDeps } from './deps';

type AnnounceDeps = Pick<AccountDeps, 'accounts' | 'deleting' | 'events' | 'mutations'>;

/** @returns The name the wallet is offered for an account. */
function nameOf(stored: StoredAccount): string {
  const { account, key } = stored;
  const name = isSmart(stored) ? `Keystead ${KINDS[stored.smart.kind].walletName}` : 'Keystead';
  return key.source === 'derived' ? `${name} ${key.index + 1}` : `${name} import ${account.address.slice(2, 6)}`;
}

/**
 * The wallet refused, or failed after it took the account: it is told that there is none, so that neither
 * side has it. If it cannot be removed here, it stays unannounced, and the next creation offers it again.
 */
async function takeBack(id: string, { accounts, deleting, events, mutations }: AnnounceDeps): Promise<void> {
  const taking = events
    .deleted(id)
    .catch(() => undefined)
    .then(() => mutations.runExclusive(() => accounts.remove(id)))
    .catch(() => undefined);
  deleting.set(id, taking);
  await taking;
  deleting.delete(id);
}

/**
 * Tells the wallet of an account that is stored, and marks it as told.
 *
 * No lock is held while the wallet is asked: it may ask us to delete this very account before it answers.
 *
 * @param correlationId - What the wallet sent along, to be sent back and not kept.
 * @throws {WalletRefusedError} If the wallet does not add it. A new account is then not kept either.
 */
export async function announceAccount(
  stored: StoredAccount,
  deps: AnnounceDeps,
  correlationId?: string,
): Promise<KeyringAccount> {
  const { accounts, events, mutations } = deps;
  const { account } = stored;
  try {
    await events.created(account, nameOf(stored), correlationId);
  } catch (refusal) {
    if (!stored.announced) await takeBack(account.id, deps);
    throw refusal;
  }
  if (stored.announced) return account;
  const isKept = await mutations.runExclusive(() => accounts.replace({ ...stored, announced: true }));
  if (!isKept) {
    // Deleted here before the wallet had taken it: it may have it still.
    await takeBack(account.id, deps);
    throw new WalletRefusedError('The wallet took the account and deleted it again.');
  }
  return account;
}
