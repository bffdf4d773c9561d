import { type CreationDeps } from '../deps';
import { InvalidParamsError } from '../../../core/errors';
import { type OwnMethods } from '../../../core/methods/own';
import { type BackedUp } from '../../../core/methods/results';
import { BackUpScreen } from '../../screens/back-up';
import { boolean, exactOptional, object, optional, parse, type Struct } from '../../../core/structs/struct';
import { base64OfBytes } from '../../../core/eth/base64';
import { contentNow, writtenContent } from './content';
import { type BackupDeps } from './deps';
import { MAX_BACKUP_BYTES, seal } from './seal';
import { withBackupSecret } from './secret';
import { storageServiceOf } from './storage-service';

const BackUpStruct: Struct<OwnMethods['keystead_backUp']['params']> = optional(
  object({ withFile: exactOptional(boolean()), onlyFile: exactOptional(boolean()) }),
);

/**
 * `keystead_backUp`: encrypts the accounts, imported keys, networks, contacts, tokens and signatures that still count,
 * then adds and pins the file at the storage service. The user first agrees to what is backed up and where, and exactly
 * that is backed up.
 *
 * @param origin - `metamask`, or the origin of a page.
 * @returns The CID, which is needed to restore the backup; the size in bytes; the number of accounts; the creation time
 * in seconds since 1970; with `{ withFile: true }` also the encrypted file itself, in base64. With `{ onlyFile: true }`
 * no service is needed: the caller gets the file, and there is no CID.
 * @throws {NotFoundError} If no storage service is set up.
 * @throws {UserRejectedError} If the user rejects the backup.
 * @throws {ServiceFailedError} If the service does not store the file, or does not return it.
 */
export async function backUp(
  params: unknown,
  deps: CreationDeps & Pick<BackupDeps, 'contacts' | 'now' | 'signed' | 'storage' | 'tokens'>,
  origin: string,
): Promise<BackedUp> {
  const { withFile = false, onlyFile = false } = parse(BackUpStruct, params, 'params') ?? {};
  const { accounts, chains, consent, entropy, mutations, now, storage } = deps;
  const to = onlyFile ? undefined : await storageServiceOf(storage);
  const createdAt = Number(now());
  const { sound, damaged } = await accounts.survey();
  const content = await contentNow(sound, deps, createdAt);
  await consent(
    BackUpScreen({
      origin,
      url: to?.url,
      accounts: content.accounts.length,
      imported: content.accounts.filter(({ key }) => key.source === 'imported').length,
      chains: content.chains.length,
      contacts: content.contacts.length,
      tokens: content.tokens.length,
      signed: content.signed.length,
      damagedAccounts: damaged,
      damaged: await chains.damaged(),
    }),
  );
  const file = await withBackupSecret(entropy, (secret) => seal(writtenContent(content), secret));
  if (file === undefined)
    throw new InvalidParamsError('accounts', `must fit into a backup of at most ${MAX_BACKUP_BYTES} bytes`);
  const made = { size: file.length, accounts: content.accounts.length, createdAt };
  if (to === undefined) return { ...made, file: base64OfBytes(file) };
  const note = { cid: await to.service.add(file), ...made };
  // If this fails, the backup exists anyway, and only this result contains its CID.
  await mutations.runExclusive(() => storage.noteBackup(note)).catch(() => undefined);
  return withFile ? { ...note, file: base64OfBytes(file) } : note;
}
