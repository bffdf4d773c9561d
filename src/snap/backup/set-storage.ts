import { consentedChange } from '../storage/consented-change';
import { SetStorageScreen } from '../ui/set-storage';
import { type StorageSettings, StorageSettingsStruct } from '../../core/schemas/storage-settings';
import { parse } from '../../core/schemas/struct';
import { type StorageDeps } from './deps';
import { StorageService } from './storage-service';

/** What others may see of the settings. */
export type PublicStorageSettings = { readonly url: string; readonly key: string };

/**
 * `keystead_setStorage`: sets the storage service up, or changes it. The person is shown old and new; the
 * service is asked with the credentials after they agreed, since a request hands it the secret, and nothing is
 * stored unless it takes them.
 *
 * @throws {InvalidParamsError} Naming the parameter, never its value.
 * @throws {UserRejectedError} If the change is refused.
 * @throws {ServiceFailedError} If the service does not answer, or does not take the credentials.
 */
export async function setStorage(params: unknown, deps: StorageDeps): Promise<PublicStorageSettings> {
  const settings = parse(StorageSettingsStruct, params, 'params');
  const { storage, origin } = deps;
  const change = {
    read: () => storage.settings(),
    screen: (before: StorageSettings | undefined) => SetStorageScreen({ before, after: settings, origin }),
    check: () => new StorageService(settings).check(),
    store: () => storage.changeSettings(settings),
  };
  await consentedChange(change, deps);
  return { url: settings.url, key: settings.key };
}
