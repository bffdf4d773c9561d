import { consentedChange } from '../../wallet/consented-change';
import { SetStorageScreen } from '../../screens/set-storage';
import { type StorageSettings, StorageSettingsStruct } from '../../../core/schemas/storage-settings';
import { parse } from '../../../core/structs/struct';
import { type BackupDeps } from './deps';
import { StorageService } from './storage-service';

/** The public part of the settings. */
type PublicStorageSettings = { readonly url: string; readonly key: string };

const publicPart = ({ url, key }: StorageSettings): PublicStorageSettings => ({ url, key });

/**
 * `keystead_setStorage`: sets up or changes the storage service. The user is shown the old and new settings. The
 * service is contacted only after they agree, because the request sends it the secret. The settings are stored only if
 * the service accepts the credentials.
 *
 * @param origin - `metamask`, or the origin of a page.
 * @throws {InvalidParamsError} If a parameter is invalid; names it, never its value.
 * @throws {UserRejectedError} If the user rejects the change.
 * @throws {ServiceFailedError} If the service does not respond, or does not accept the credentials.
 */
export async function setStorage(
  params: unknown,
  deps: Pick<BackupDeps, 'consent' | 'mutations' | 'storage'>,
  origin: string,
): Promise<PublicStorageSettings> {
  const settings = parse(StorageSettingsStruct, params, 'params');
  const { storage } = deps;
  const change = {
    read: () => storage.settings(),
    screen: (before: StorageSettings | undefined) => SetStorageScreen({ before, after: settings, origin }),
    check: () => new StorageService(settings).check(),
    store: () => storage.changeSettings(settings),
  };
  await consentedChange(change, deps);
  return publicPart(settings);
}

/** `keystead_getStorage`: the configured storage service, or null. The result never contains the secret. */
export async function getStorage(
  _params: unknown,
  { storage }: Pick<BackupDeps, 'storage'>,
): Promise<PublicStorageSettings | null> {
  const settings = await storage.settings();
  return settings === undefined ? null : publicPart(settings);
}
