import { readFileSync } from 'node:fs';

import { assign, type Infer } from '@metamask/superstruct';

import { nodesOf, RpcSections } from '../chain/config';
import { METHOD_NAMES } from '../chain/methods';
import { CommonSections, ConfigError, createConfig } from '../runtime/config';
import { errorCode } from '../runtime/error-code';
import { redisUrlOf } from '../runtime/redis-url';
import { StorageSections } from '../storage/config';

/** One JSON file configures a process of the service. Each part of the service owns some of its top-level sections. */
export const ServiceConfigStruct = assign(CommonSections, RpcSections, StorageSections);

export type ServiceConfig = Infer<typeof ServiceConfigStruct>;

/**
 * Names the position of a syntax error. The engine's own message is not repeated: it quotes the file, perhaps a
 * password.
 */
function notJson(text: string, { message }: SyntaxError): string {
  const [, position] = / in JSON at position (\d+)(?: \([^"]*\))?$/u.exec(message) ?? [];
  if (position === undefined) return 'not valid JSON';
  const lines = text.slice(0, Number(position)).split('\n');
  return `not valid JSON at line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
}

/** @returns The methods that a network of the configuration may answer. */
export function methodsOf({ networks }: Pick<ServiceConfig, 'networks'>): readonly string[] {
  const listed = networks.flatMap((network) =>
    [...nodesOf(network), network.bundler].flatMap((each) => each?.methods ?? []),
  );
  return [...METHOD_NAMES, ...listed];
}

/**
 * Checks a configuration and fills in defaults.
 *
 * @param value - Parsed JSON.
 * @returns The complete configuration.
 * @throws {ConfigError} Names the setting and the problem.
 */
export function parseConfig(value: unknown): ServiceConfig {
  if (Array.isArray(value)) throw new ConfigError('Expected an object, but got a list');
  const config = createConfig(value, ServiceConfigStruct);
  // Its address may be missing, or wrong.
  if (config.ledger === 'redis') redisUrlOf(config);
  const known = new Set(methodsOf(config));
  for (const name of Object.keys(config.credits.prices))
    if (!known.has(name)) throw new ConfigError(`credits.prices.${name}: no network answers a method of this name`);
  return config;
}

/**
 * Reads a configuration file.
 *
 * @param path - Path of a JSON file.
 * @returns The complete configuration.
 * @throws {ConfigError} If the file cannot be read, is not JSON, or does not match the schema.
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
