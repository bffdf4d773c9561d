import { InvalidParamsError } from '../../core/errors';
import { BackUpScreen } from '../ui/back-up';
import { boolean, exactOptional, object, optional, parse } from '../../core/schemas/struct';
import { base64OfBytes } from '../../core/eth/base64';
import { contentNow } from './content';
import { type BackupDeps } from './deps';
import { type BackupNote } from './repository';
import { MAX_BACKUP_BYTES, seal } from './seal';
import { withBackupSecret } from './secret';
import { storageServiceOf } from './storage-service';

const BackUpStruct = optional(object({ withFile: exactOptional(boolean()) }));

/**
 * `keystead_backUp`: encrypts the accounts, imported keys and networks, then adds and pins the file at the storage
 * service. The user first agrees to what is backed up and where, and exactly that is backed up.
 *
 * @param origin - `metamask`, or the origin of a page.
 * @returns The CID, which is needed to restore the backup; the size in bytes; the number of accounts; the creation time
 * in seconds since 1970; with `{ withFile: true }` also the encrypted file itself, in base64.
 * @throws {NotFoundError} If no storage service is set up.
 * @throws {UserRejectedError} If the user rejects the backup.
 * @throws {ServiceFailedError} If the service does not store the file, or does not return it.
 */
export async function backUp(
  params: unknown,
  deps: BackupDeps,
  origin: string,
): Promise<BackupNote & { readonly file?: string }> {
  const withFile = parse(BackUpStruct, params, 'params')?.withFile === true;
  const { accounts, chains, consent, entropy, mutations, now, storage } = deps;
  const { service, url } = await storageServiceOf(storage);
  const createdAt = Number(now());
  const { sound, damaged } = await accounts.survey();
  const content = await contentNow(sound, chains, createdAt);
  await consent(
    BackUpScreen({
      origin,
      url,
      accounts: content.accounts.length,
      imported: content.accounts.filter(({ key }) => key.source === 'imported').length,
      chains: content.chains.length,
      damagedAccounts: damaged,
      damaged: await chains.damaged(),
    }),
  );
  const file = await withBackupSecret(entropy, (secret) => seal(JSON.stringify(content), secret));
  if (file === undefined)
    throw new InvalidParamsError('accounts', `must fit into a backup of at most ${MAX_BACKUP_BYTES} bytes`);
  const note = { cid: await service.add(file), size: file.length, accounts: content.accounts.length, createdAt };
  // If this fails, the backup exists anyway, and only this result contains its CID.
  await mutations.runExclusive(() => storage.noteBackup(note)).catch(() => undefined);
  return withFile ? { ...note, file: base64OfBytes(file) } : note;
}
