import {
  array,
  boolean,
  defaulted,
  type Infer,
  integer,
  max,
  min,
  nonempty,
  object,
  optional,
  pattern,
  string,
} from '@metamask/superstruct';

import { type CommonConfig } from '../runtime/config';
import { GatewaySection } from './gateway/config';
import { DEFAULT_LIMITS, type Limits } from './content/limits';
import { DEFAULT_SETTINGS } from './settings';

/** The maximum delay of a timer. */
const MAX_SECONDS = 2_147_483;
/** A block is held in memory several times over. */
const MAX_BLOCK_BYTES = 32 << 20;
/** An origin as browsers send it, or `*` or `null`. Any other text would never match. */
const ORIGIN = /^(?:\*|null|[a-z][a-z0-9+.-]*:\/\/[^/?#@\sA-Z]+)$/u;

const between = (least: number, most: number) => max(min(integer(), least), most);
const limit = (name: keyof Limits, most = Number.MAX_SAFE_INTEGER) => defaulted(between(1, most), DEFAULT_LIMITS[name]);

/** Limits of a request, see {@link Limits}. */
const LimitsSection = object({
  bodyBytes: limit('bodyBytes'),
  parts: limit('parts'),
  pathLength: limit('pathLength'),
  pathDepth: limit('pathDepth', 1024),
  pathsLength: limit('pathsLength'),
  blockBytes: limit('blockBytes', MAX_BLOCK_BYTES),
  addBlocks: limit('addBlocks'),
  carBlocks: limit('carBlocks'),
  dagDepth: limit('dagDepth', 4096),
  dagBlocks: limit('dagBlocks'),
  dagBytes: limit('dagBytes'),
  dagPending: limit('dagPending'),
  entries: limit('entries'),
  args: limit('args'),
  requestSeconds: limit('requestSeconds', MAX_SECONDS),
  connections: limit('connections'),
  keyRequests: limit('keyRequests'),
  keyWaiting: limit('keyWaiting'),
  keyPerSecond: limit('keyPerSecond'),
  keyBurst: limit('keyBurst'),
  keyBytesPerSecond: limit('keyBytesPerSecond'),
  keyPinnedBytes: limit('keyPinnedBytes'),
  keyMemoryBytes: limit('keyMemoryBytes'),
  keyAnswerBytes: limit('keyAnswerBytes'),
  allAnswerBytes: limit('allAnswerBytes'),
});

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
  graceSeconds: defaulted(between(1, MAX_SECONDS), 3600),
});

/** The configuration section of the storage service. */
export const StorageSections = object({
  storage: defaulted(
    object({
      enabled: defaulted(boolean(), true),
      host: defaulted(nonempty(string()), '127.0.0.1'),
      port: defaulted(between(0, 65_535), 5001),
      /** Origins that browsers may call from: exact ones, `null` for snaps, `*` for all. */
      origins: defaulted(array(pattern(string(), ORIGIN)), []),
      /**
       * IDs of the keys that may use `block/rm`, `repo/gc`, `repo/stat` and `refs/local`, and the pins of others; by
       * default the first key.
       */
      operators: optional(array(string())),
      limits: defaulted(LimitsSection, {}),
      durable: defaulted(boolean(), DEFAULT_SETTINGS.durable),
      hashOnRead: defaulted(boolean(), DEFAULT_SETTINGS.hashOnRead),
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
export type S3Config = Infer<typeof S3>;
