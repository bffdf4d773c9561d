import { DeleteAccountScreen } from '../ui/delete-account';
import { type CallerDeps } from './deps';

/**
 * `keyring_deleteAccount`. Repeating it is no error. The wallet is told first: if that fails nothing is
 * lost, and if the wallet has an account that we lack, it learns so.
 *
 * MetaMask asks before it calls; for a page we ask ourselves where a key would be lost.
 *
 * @throws {UserRejectedError} If the deletion is refused in our dialog.
 * @throws {WalletRefusedError} If the wallet keeps the account; then so do we.
 */
export async function deleteAccount(id: string, deps: CallerDeps): Promise<void> {
  const { accounts, consent, deleting, events, mutations, origin } = deps;
  // MetaMask answers the event only after it has called us for the same account: to wait for the
  // mutation that sent the event would be to wait for ever.
  if (deleting.has(id)) return;
  await mutations.runExclusive(async () => {
    const stored = await accounts.find(id);
    if (stored?.key.source === 'imported' && origin !== 'metamask') {
      await consent(DeleteAccountScreen({ address: stored.account.address, origin }));
    }
    deleting.add(id);
    try {
      await events.deleted(id);
      await accounts.remove(id);
    } finally {
      deleting.delete(id);
    }
  });
}
