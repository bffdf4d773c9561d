import { DamagedAccountError } from '../../core/errors';
import { DeleteAccountScreen } from '../screens/delete-account';
import { type AccountEntry, isSmart, type StoredAccount } from './account';
import { alarmed } from './alarmed';
import { type AccountDeps, type CreationDeps } from './deps';
import { accountNamesIn, shownAccount } from './names';

/** The stored account. If MetaMask requests the deletion, a damaged entry counts as absent. */
async function findToDelete(
  id: string,
  { accounts }: Pick<AccountDeps, 'accounts'>,
  origin: string,
): Promise<StoredAccount | undefined> {
  try {
    return await accounts.find(id);
  } catch (error) {
    if (origin === 'metamask' && error instanceof DamagedAccountError) return undefined;
    throw error;
  }
}

/**
 * Removes an account here and in MetaMask. It is marked as unannounced before MetaMask is notified, so if we fail or
 * are interrupted after MetaMask has removed it, the next creation announces it again.
 *
 * No lock is held while MetaMask is notified, because it requests the deletion from us before it responds.
 */
async function forgetAccount(
  id: string,
  deps: Pick<AccountDeps, 'accounts' | 'events' | 'messages' | 'mutations' | 'permissions' | 'recipients' | 'signed'>,
  origin: string,
): Promise<void> {
  const { accounts, events, messages, mutations, permissions, recipients, signed } = deps;
  const stored = await mutations.runExclusive(async () => {
    const found = await findToDelete(id, deps, origin);
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
    // Drop permissions first, so that no site is connected to the same account if it is created again.
    await permissions.dropAccount(id);
    if (stored !== undefined) {
      await recipients.forget(stored.account.address);
      await signed.forget(stored.account.address, async () =>
        (await accounts.entries()).flatMap(({ account }) => (account.id === id ? [] : [account.address])),
      );
      await messages.forget(stored.account.address);
    }
    await accounts.remove(id);
  });
}

/** The parts of an account that the recovery phrase does not bring back; undefined if it brings back everything. */
function lostWith(entry: AccountEntry): 'key' | 'address' | undefined {
  if (entry.key.source === 'imported') return 'key';
  return isSmart(entry) && entry.smart.isRecovered === true ? 'address' : undefined;
}

/**
 * `keyring_deleteAccount`. Deleting an account again is not an error.
 *
 * MetaMask asks the user before it calls. For a request from a page, we ask ourselves if a key, or the address
 * of a recovered account, would be lost.
 *
 * @param origin - `metamask`, or the origin of a page.
 * @throws {UserRejectedError} If the user rejects the deletion in our dialog.
 * @throws {WalletRefusedError} If MetaMask keeps the account. It is then kept here too.
 */
export async function deleteAccount(
  id: string,
  deps: CreationDeps & Pick<AccountDeps, 'messages' | 'now' | 'permissions' | 'recipients' | 'recoveriesOf' | 'signed'>,
  origin: string,
): Promise<void> {
  const { accounts, consent, deleting } = deps;
  // MetaMask responds to the deletion event only after it has called us for the same account, so waiting for that
  // deletion would be a deadlock.
  const join = (running: Promise<void>) => (origin === 'metamask' ? undefined : running);
  const running = deleting.get(id);
  if (running !== undefined) return join(running);
  const asked = origin === 'metamask' ? undefined : await accounts.entry(id);
  const lost = asked === undefined ? undefined : lostWith(asked);
  if (asked !== undefined && lost !== undefined) {
    const account = shownAccount(asked, await accountNamesIn(deps));
    await consent(await alarmed(DeleteAccountScreen({ account, origin, lost }), asked, deps));
  }
  // Another deletion may have started in the meantime. Two at once could remove an account that was created again in
  // between.
  const meanwhile = deleting.get(id);
  if (meanwhile !== undefined) return join(meanwhile);
  const deletion = forgetAccount(id, deps, origin);
  deleting.set(id, deletion);
  try {
    await deletion;
  } finally {
    deleting.delete(id);
  }
}
