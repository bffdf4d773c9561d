import { isSameAddress } from '../../core/eth/address';
import { toHex, type Hex } from '../../core/eth/bytes';
import { addressOfPublicKey } from '../../core/eth/checksum';
import { publicKeyOf } from '../../core/eth/secp256k1';
import { ExportAccountScreen } from '../ui/export-account';
import { signerOf } from './account';
import { type AccountDeps } from './deps';
import { givesAnotherAddress, keyOf, withPrivateKey } from './keys';

/**
 * `keyring_exportAccount`: hands the private key to the caller, after the person at the wallet said so.
 *
 * @throws {NotFoundError} If there is no such account.
 * @throws {UserRejectedError} If the export is refused.
 * @throws {InternalError} If the key is another account's: the person agreed to hand out the one of the address they saw.
 */
export async function exportAccount(
  id: string,
  { accounts, consent, entropy, origin }: Pick<AccountDeps, 'accounts' | 'consent' | 'entropy' | 'origin'>,
): Promise<{ privateKey: Hex }> {
  const { entry } = await accounts.use(id);
  await consent(ExportAccountScreen({ address: entry.account.address, origin }));
  // Only now: while the dialog was open the account may have been deleted, and no key waits for an answer.
  const stored = await accounts.get(id);
  const privateKey = await withPrivateKey(keyOf(stored), entropy, (key) => {
    if (!isSameAddress(addressOfPublicKey(publicKeyOf(key)), signerOf(stored))) throw givesAnotherAddress('key');
    return toHex(key);
  });
  return { privateKey };
}
