import { toHex, type Hex } from '../eth/bytes';
import { ExportAccountScreen } from '../ui/export-account';
import { type CallerDeps } from './deps';
import { keyOf, withPrivateKey } from './keys';

/**
 * `keyring_exportAccount`: hands the private key to the caller, after the person at the wallet said so.
 *
 * @throws {NotFoundError} If there is no such account.
 * @throws {UserRejectedError} If the export is refused.
 */
export async function exportAccount(id: string, deps: CallerDeps): Promise<{ privateKey: Hex }> {
  const { accounts, consent, entropy, origin } = deps;
  const { account } = await accounts.get(id);
  await consent(ExportAccountScreen({ address: account.address, origin }));
  // Read again: while the dialog was open the account may have been deleted.
  return { privateKey: await withPrivateKey(keyOf(await accounts.get(id)), entropy, toHex) };
}
