import { DamagedAccountError } from '../../core/errors';
import { DeleteAccountScreen } from '../ui/delete-account';
import { type StoredAccount } from './account';
import { type AccountDeps } from './deps';

type DeleteDeps = Pick<
  AccountDeps,
  'accounts' | 'consent' | 'deleting' | 'events' | 'mutations' | 'origin' | 'permissions'
>;

/** What is stored; a damaged entry counts as none where the wallet has decided that the account goes. */
async function findToDelete(id: string, { accounts, origin }: DeleteDeps): Promise<StoredAccount | undefined> {
  try {
    return await accounts.find(id);
  } catch (error) {
    if (origin === 'metamask' && error instanceof DamagedAccountError) return undefined;
    throw error;
  }
}

/**
 * Forgets an account here and in the wallet. It is marked as unannounced before the wallet is told: if we
 * are cut short, or fail, after the wallet has dropped it, the next creation offers it again.
 *
 * No lock is held while the wallet is told: it asks us to delete the account before it answers.
 */
async function forgetAccount(id: string, deps: DeleteDeps): Promise<void> {
  const { accounts, events, mutations, permissions } = deps;
  const stored = await mutations.runExclusive(async () => {
    const found = await findToDelete(id, deps);
    if (found?.announced === true) await accounts.put({ ...found, announced: false });
    return found;
  });
  try {
    await events.deleted(id);
  } catch (refusal) {
    if (stored?.announced === true) {
      await mutations.runExclusive(() => accounts.replace(stored)).catch(() => undefined);
    }
    throw refusal;
  }
  await mutations.runExclusive(async () => {
    // First: were the same account created again, no site may find itself connected to it.
    await permissions.dropAccount(id);
    await accounts.remove(id);
  });
}

/**
 * `keyring_deleteAccount`. Repeating it is no error.
 *
 * MetaMask asks before it calls; for a page we ask ourselves where a key would be lost.
 *
 * @throws {UserRejectedError} If the deletion is refused in our dialog.
 * @throws {WalletRefusedError} If the wallet keeps the account; then so do we.
 */
export async function deleteAccount(id: string, deps: DeleteDeps): Promise<void> {
  const { accounts, consent, deleting, origin } = deps;
  // MetaMask answers the event of a deletion only after it has called us for the same account: to wait
  // for that deletion would be to wait for ever.
  const join = (running: Promise<void>) => (origin === 'metamask' ? undefined : running);
  const running = deleting.get(id);
  if (running !== undefined) return join(running);
  const asked = origin === 'metamask' ? undefined : await accounts.entry(id);
  if (asked?.key.source === 'imported') {
    await consent(DeleteAccountScreen({ address: asked.account.address, origin }));
  }
  // Another may have begun meanwhile. Two at once could take away what was created again in between.
  const meanwhile = deleting.get(id);
  if (meanwhile !== undefined) return join(meanwhile);
  const deletion = forgetAccount(id, deps);
  deleting.set(id, deletion);
  try {
    await deletion;
  } finally {
    deleting.delete(id);
  }
}
