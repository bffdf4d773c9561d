import { type StorageDeps } from './deps';
import { type PublicStorageSettings } from './set-storage';

/** `keystead_getStorage`: the configured storage service, or null. The result never contains the secret. */
export async function getStorage(_params: unknown, { storage }: StorageDeps): Promise<PublicStorageSettings | null> {
  const settings = await storage.settings();
  return settings === undefined ? null : { url: settings.url, key: settings.key };
}
