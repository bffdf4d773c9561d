import { array, boolean, defaulted, integer, max, min, object, optional, string } from '@metamask/superstruct';

/** The section of the storage service in the configuration. */
export const StorageSections = object({
  storage: defaulted(
    object({
      enabled: defaulted(boolean(), true),
      host: defaulted(string(), '127.0.0.1'),
      port: defaulted(max(min(integer(), 0), 65_535), 5001),
      /** Origins that browsers may call from: exact ones, `null` for snaps, `*` for all. */
      origins: defaulted(array(string()), []),
      /** Ids of the keys that may use `block/rm`, `repo/gc` and `refs/local`; every key if left out. */
      operators: optional(array(string())),
    }),
    {},
  ),
});
