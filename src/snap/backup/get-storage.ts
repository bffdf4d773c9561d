import { type StorageDeps } from './deps';
import { type PublicStorageSettings } from './set-storage';

/** `keystead_getStorage`: the storage service that is set up, or null. Its secret is in no answer. */
export async function getStorage(_params: unknown, { storage }: StorageDeps): Promise<PublicStorageSettings | null> {
  const settings = await storage.settings();
  return settings === undefined ? null : { url: settings.url, key: settings.key };
}
