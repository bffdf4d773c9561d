import {
  array,
  boolean,
  defaulted,
  type Infer,
  nonempty,
  object,
  optional,
  pattern,
  string,
  type Struct,
} from '@metamask/superstruct';

import { type CommonConfig, whole } from '../runtime/config';
import { GatewaySection } from './gateway/config';
import { DEFAULT_LIMITS, type Limits } from './content/limits';
import { DEFAULT_FILE_OPTIONS } from './store/file-options';

/** The maximum delay of a timer. */
const MAX_SECONDS = 2_147_483;
/** A block is held in memory several times over. */
const MAX_BLOCK_BYTES = 32 << 20;
/** An origin as browsers send it, or `*` or `null`. Any other text would never match. */
const ORIGIN = /^(?:\*|null|[a-z][a-z0-9+.-]*:\/\/[^/?#@\sA-Z]+)$/u;

/** What limits may be at most, if less than any number. */
const MOST: Partial<Limits> = {
  pathDepth: 1024,
  blockBytes: MAX_BLOCK_BYTES,
  dagDepth: 4096,
  requestSeconds: MAX_SECONDS,
};

/** Limits of a request, see {@link Limits}. */
const LimitsSection = object(
  Object.fromEntries(
    (Object.keys(DEFAULT_LIMITS) as (keyof Limits)[]).map((name) => [
      name,
      defaulted(whole(1, MOST[name]), DEFAULT_LIMITS[name]),
    ]),
  ) as Record<keyof Limits, Struct<number, null>>,
);

/** A bucket of an S3-compatible service, shared by several processes. */
const S3 = object({
  /** Without the bucket, which is addressed by path. */
  endpoint: pattern(string(), /^https?:\/\/[^/?#]+(?:\/[^?#]*)?$/u),
  region: defaulted(nonempty(string()), 'us-east-1'),
  bucket: pattern(string(), /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/u),
  /** Prepended to every key. */
  prefix: defaulted(pattern(string(), /^(?:[\w.-]+\/)*$/u), ''),
  /** Default to `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY` of the environment. */
  accessKeyId: optional(nonempty(string())),
  secretAccessKey: optional(nonempty(string())),
  /**
   * For how many seconds a block is kept from collections after it was stored or pinned; at least two requests and four
   * minutes.
   */
  graceSeconds: defaulted(whole(1, MAX_SECONDS), 3600),
});

/** The configuration section of the storage service. */
export const StorageSections = object({
  storage: defaulted(
    object({
      enabled: defaulted(boolean(), true),
      host: defaulted(nonempty(string()), '127.0.0.1'),
      port: defaulted(whole(0, 65_535), 5001),
      /** Origins that browsers may call from: exact ones, `null` for snaps, `*` for all. */
      origins: defaulted(array(pattern(string(), ORIGIN)), []),
      /**
       * IDs of the keys that may use `block/rm`, `repo/gc` and `repo/stat`, and the pins of others; by
       * default the first key.
       */
      operators: optional(array(string())),
      limits: defaulted(LimitsSection, {}),
      durable: defaulted(boolean(), DEFAULT_FILE_OPTIONS.durable),
      hashOnRead: defaulted(boolean(), DEFAULT_FILE_OPTIONS.hashOnRead),
      /** Bytes of the disk that uploads leave for the service itself. */
      diskReserveBytes: defaulted(whole(0), DEFAULT_FILE_OPTIONS.diskReserveBytes),
      /** A read-only listener without keys; off by default. */
      gateway: optional(GatewaySection),
      /** Blocks and pins in a bucket instead of the data directory. */
      s3: optional(S3),
    }),
    {},
  ),
});

/** The configuration of the storage service. */
export type StorageServiceConfig = CommonConfig & Infer<typeof StorageSections>;
