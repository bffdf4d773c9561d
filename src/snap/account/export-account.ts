import { isSameAddress } from '../../core/eth/address';
import { toHex, type Hex } from '../../core/eth/bytes';
import { addressOfPublicKey } from '../../core/eth/checksum';
import { publicKeyOf } from '../../core/eth/secp256k1';
import { ExportAccountScreen } from '../screens/export-account';
import { signerOf } from './account';
import { alarmed } from './alarmed';
import { type AccountDeps } from './deps';
import { accountNamesIn, shownAccount } from './names';
import { addressMismatch, keyOf, withPrivateKey } from './keys';

/**
 * `keyring_exportAccount`: returns the private key after the user has agreed.
 *
 * @param origin - `metamask`, or the origin of a page.
 * @throws {NotFoundError} If the account does not exist.
 * @throws {UserRejectedError} If the user rejects the export.
 * @throws {InternalError} If the key does not belong to the address that the user saw.
 */
export async function exportAccount(
  id: string,
  deps: Pick<AccountDeps, 'accounts' | 'chains' | 'consent' | 'entropy' | 'now' | 'recoveriesOf'>,
  origin: string,
): Promise<{ privateKey: Hex }> {
  const { accounts, consent, entropy } = deps;
  const { entry } = await accounts.use(id);
  const account = shownAccount(entry, await accountNamesIn(deps));
  await consent(await alarmed(ExportAccountScreen({ account, origin }), entry, deps));
  // Read the key only now: the account may have been deleted while the dialog was open, and no key should stay in
  // memory that long.
  const stored = await accounts.get(id);
  const privateKey = await withPrivateKey(keyOf(stored), entropy, (key) => {
    if (!isSameAddress(addressOfPublicKey(publicKeyOf(key)), signerOf(stored))) throw addressMismatch('key');
    return toHex(key);
  });
  return { privateKey };
}
