import { matching, object, refine, wrong } from '../structs/struct';
import { ServiceUrlStruct } from './url';

/** The URL and credentials of the storage service. The secret is sent to that service only. */
export type StorageSettings = { readonly url: string; readonly key: string; readonly secret: string };

/** The paths of the API commands are appended to this URL. */
const StorageUrlStruct = refine(ServiceUrlStruct, (url) =>
  url.includes('?') ? wrong('must be a URL without a query, because API paths are appended to it') : undefined,
);

/** The user name of HTTP basic credentials, which ends at the first colon (RFC 7617). */
const KeyStruct = matching(
  'must be 1 to 256 visible ASCII characters without a colon',
  /^[\x21-\x39\x3b-\x7e]{1,256}$/u,
);

const SecretStruct = matching('must be 1 to 256 characters, without control characters', /^\P{C}{1,256}$/u);

/** The parameters of `keystead_setStorage`, and the stored form of the settings. */
export const StorageSettingsStruct = object({ url: StorageUrlStruct, key: KeyStruct, secret: SecretStruct });
