import { readFileSync } from 'node:fs';

import {
  assign,
  create,
  defaulted,
  enums,
  nonempty,
  object,
  optional,
  refine,
  string,
  StructError,
  type Infer,
} from '@metamask/superstruct';

import { errorCode } from './error-code';
import { RpcSections } from '../chain/config';
import { StorageSections } from '../storage/config';

const redisUrl = () =>
  refine(
    string(),
    'URL',
    (value) =>
      (URL.canParse(value) && /^rediss?:$/u.test(new URL(value).protocol)) ||
      'Expected a redis:// or rediss:// address',
  );

/** One JSON file describes a process of the service. Every part owns some of its top-level sections. */
export const ServiceConfigStruct = assign(
  object({
    /** Where keys, credits, archives and files are kept; `--data-dir` overrides it. */
    dataDir: optional(nonempty(string())),
    /** Where keys and the daily credits live: in the data directory, or in Redis for several processes. */
    ledger: defaulted(enums(['sqlite', 'redis']), 'sqlite'),
    redis: optional(object({ url: redisUrl() })),
    log: defaulted(object({ level: defaulted(enums(['debug', 'info', 'warn', 'error', 'silent']), 'info') }), {}),
    /** Paths of PEM files; with it every listener speaks TLS. */
    tls: optional(object({ cert: string(), key: string() })),
  }),
  RpcSections,
  StorageSections,
);

export type ServiceConfig = Infer<typeof ServiceConfigStruct>;

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
  const place = path.join('..');
  if (type === 'never') return `${place}: there is no such setting`;
  // Of a word that is none of those allowed, its kind is not what is wrong.
  const received = type === 'enums' && typeof value === 'string' ? '' : `, but it is ${kindOf(value)}`;
  const what = message
    .replace(/^At path: .*? -- /su, '')
    .replace(/, but received: .*$/su, received)
    .replace(/ but received ".*$/su, '');
  return place === '' ? what : `${place}: ${what}`;
}

/** Says where a text stops being JSON, if the engine tells: its own words may repeat what is there, a password too. */
function notJson(text: string, { message }: SyntaxError): string {
  const [, position] = / in JSON at position (\d+)(?: \([^"]*\))?$/u.exec(message) ?? [];
  if (position === undefined) return 'not JSON';
  const lines = text.slice(0, Number(position)).split('\n');
  return `not JSON, from line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1} on`;
}

/**
 * Checks a configuration and fills in defaults.
 *
 * @param value - Parsed JSON.
 * @returns The complete configuration.
 * @throws {ConfigError} Naming the place and what is wrong there.
 */
export function parseConfig(value: unknown): ServiceConfig {
  if (Array.isArray(value)) throw new ConfigError('Expected an object, but it is a list');
  try {
    const config = create(value, ServiceConfigStruct);
    if (config.ledger === 'redis' && !config.redis) throw new ConfigError('redis: needed, because ledger is "redis"');
    if (config.storage.s3 && !config.redis) throw new ConfigError('redis: needed, because storage.s3 is set');
    return config;
  } catch (error) {
    if (error instanceof StructError) throw new ConfigError(explain(error));
    throw error;
  }
}

/**
 * Reads a configuration file.
 *
 * @param path - Of a JSON file.
 * @returns The complete configuration.
 * @throws {ConfigError} If the file cannot be read, is not JSON, or does not fit the schema.
 */
export function readConfig(path: string): ServiceConfig {
  let text = '';
  let value: unknown;
  try {
    text = readFileSync(path, 'utf8');
    value = JSON.parse(text);
  } catch (error) {
    const why =
      error instanceof SyntaxError ? notJson(text, error) : `cannot be read (${errorCode(error) ?? String(error)})`;
    throw new ConfigError(`${path}: ${why}`, { cause: error });
  }
  try {
    return parseConfig(value);
  } catch (error) {
    if (error instanceof ConfigError) throw new ConfigError(`${path}: ${error.message}`, { cause: error });
    throw error;
  }
}
