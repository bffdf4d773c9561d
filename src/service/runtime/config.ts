import {
  create,
  defaulted,
  enums,
  nonempty,
  object,
  optional,
  refine,
  string,
  type Struct,
  StructError,
  type Infer,
} from '@metamask/superstruct';

const redisUrl = () =>
  refine(
    string(),
    'URL',
    (value) =>
      (URL.canParse(value) && /^rediss?:$/u.test(new URL(value).protocol)) ||
      'Expected a redis:// or rediss:// address',
  );

/** The settings of a process that every part shares. */
export const CommonSections = object({
  /** Where keys, credits, archives and files are kept; `--data-dir` overrides it. */
  dataDir: optional(nonempty(string())),
  /** Where keys and the daily credits live: in the data directory, or in Redis for several processes. */
  ledger: defaulted(enums(['sqlite', 'redis']), 'sqlite'),
  redis: optional(object({ url: redisUrl() })),
  log: defaulted(object({ level: defaulted(enums(['debug', 'info', 'warn', 'error', 'silent']), 'info') }), {}),
  /** Paths of PEM files; with it every listener speaks TLS. */
  tls: optional(object({ cert: string(), key: string() })),
});

export type CommonConfig = Infer<typeof CommonSections>;

/** The configuration cannot be used; the message says where and why. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : typeof value;
}

/** Says what is wrong without repeating the value: it may be an address with a password in it. */
function explain({ path, message, type, value }: StructError): string {
  const place = path.join('.');
  if (type === 'never') return `${place}: there is no such setting`;
  // Of a word that is none of those allowed, its kind is not what is wrong.
  const received = type === 'enums' && typeof value === 'string' ? '' : `, but it is ${kindOf(value)}`;
  const what = message
    .replace(/^At path: .*? -- /su, '')
    .replace(/, but received: .*$/su, received)
    .replace(/ but received ".*$/su, '');
  return place === '' ? what : `${place}: ${what}`;
}

/**
 * Checks a configuration and fills in defaults.
 *
 * @param value - Parsed JSON.
 * @throws {ConfigError} Naming the place and what is wrong there.
 */
export function createConfig<Config>(value: unknown, struct: Struct<Config>): Config {
  try {
    return create(value, struct);
  } catch (error) {
    if (error instanceof StructError) throw new ConfigError(explain(error));
    throw error;
  }
}
