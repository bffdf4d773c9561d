import { matching, object, refine, wrong } from './struct';
import { ServiceUrlStruct } from './url';

/** Where the storage service is, and how to get in. The secret is for that service's eyes only. */
export type StorageSettings = { readonly url: string; readonly key: string; readonly secret: string };

/** The commands' paths are put behind it. */
const StorageUrlStruct = refine(ServiceUrlStruct, (url) =>
  url.includes('?') ? wrong('must be a URL without a query: the paths of the API are put behind it') : undefined,
);

/** The user name of HTTP basic credentials (RFC 7617): it ends at the first colon. */
const KeyStruct = matching(
  'must be 1 to 256 visible ASCII characters without a colon',
  /^[\x21-\x39\x3b-\x7e]{1,256}$/u,
);

const SecretStruct = matching('must be 1 to 256 characters, no control characters among them', /^\P{C}{1,256}$/u);

/** The parameters of `keystead_setStorage`, and what is stored. */
export const StorageSettingsStruct = object({ url: StorageUrlStruct, key: KeyStruct, secret: SecretStruct });
