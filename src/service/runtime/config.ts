import {
  array,
  create,
  defaulted,
  enums,
  integer,
  max,
  min,
  nonempty,
  object,
  optional,
  refine,
  string,
  type Struct,
  StructError,
  type Infer,
} from '@metamask/superstruct';

import { addressList } from './request-id';

/** A whole number within bounds. */
export const whole = (least: number, most = Number.MAX_SAFE_INTEGER): Struct<number, null> =>
  max(min(integer(), least), most);

const redisUrl = () =>
  refine(string(), 'URL', (value) => isRedisUrl(value) || 'Expected a redis:// or rediss:// address');

/** @returns Whether a text is the address of a Redis. */
export const isRedisUrl = (value: string): boolean =>
  URL.canParse(value) && /^rediss?:$/u.test(new URL(value).protocol);

const proxy = () =>
  refine(
    string(),
    'proxy',
    (value) => addressList([value]) !== undefined || 'Expected an IP address, or a subnet such as 10.0.0.0/8',
  );

/** A minute: what stops a service kills it if that takes too long. */
const MAX_DELAY_MS = 60_000;

/** Settings shared by every part of a process. */
export const CommonSections = object({
  /** Folder for keys, credits, archives and files; `--data-dir` overrides it. */
  dataDir: optional(nonempty(string())),
  /** The store of keys and daily credits: the data directory, or Redis to share them between processes. */
  ledger: defaulted(enums(['sqlite', 'redis']), 'sqlite'),
  redis: optional(
    object({
      url: optional(redisUrl()),
      /** A file that holds the address, as secret stores give it. */
      urlFile: optional(nonempty(string())),
    }),
  ),
  /** Addresses and subnets of proxies whose `X-Request-Id` is taken over. */
  trustedProxies: defaulted(array(proxy()), []),
  log: defaulted(object({ level: defaulted(enums(['debug', 'info', 'warn', 'error', 'silent']), 'info') }), {}),
  /**
   * How long the service goes on accepting requests after SIGTERM, in milliseconds, while readiness says that it stops:
   * load balancers need so long to notice.
   */
  shutdownDelayMs: defaulted(whole(0, MAX_DELAY_MS), 5_000),
  /** Paths of PEM files; if set, every listener speaks TLS. */
  tls: optional(object({ cert: string(), key: string() })),
});

export type CommonConfig = Infer<typeof CommonSections>;

/** The configuration is invalid; the message names the setting and the problem. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

function received(value: unknown): string {
  if (value === undefined) return 'but it is missing';
  if (value === null) return 'but got null';
  if (Array.isArray(value)) return 'but got a list';
  return typeof value === 'object' ? 'but got an object' : `but got a ${typeof value}`;
}

/** Describes the problem without repeating the value, which may be an address with a password. */
function explain({ path, message, type, value }: StructError): string {
  const place = path.join('.');
  if (type === 'never') return `${place}: unknown setting`;
  // For a string outside a list of allowed values, its type is not the problem.
  const found = type === 'enums' && typeof value === 'string' ? '' : `, ${received(value)}`;
  const what = message
    .replace(/^At path: .*? -- /su, '')
    .replace(/, but received: .*$/su, found)
    .replace(/ but received ".*$/su, '');
  return place === '' ? what : `${place}: ${what}`;
}

/**
 * Checks a configuration and fills in defaults.
 *
 * @param value - Parsed JSON.
 * @throws {ConfigError} Names the setting and the problem.
 */
export function createConfig<Config>(value: unknown, struct: Struct<Config>): Config {
  try {
    return create(value, struct);
  } catch (error) {
    if (error instanceof StructError) throw new ConfigError(explain(error));
    throw error;
  }
}
