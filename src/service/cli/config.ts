import { readFileSync } from 'node:fs';

import { assign, type Infer } from '@metamask/superstruct';

import { RpcSections } from '../chain/config';
import { CommonSections, ConfigError, createConfig } from '../runtime/config';
import { errorCode } from '../runtime/error-code';
import { StorageSections } from '../storage/config';

/** One JSON file describes a process of the service. Each part owns some of its top-level sections. */
export const ServiceConfigStruct = assign(CommonSections, RpcSections, StorageSections);

export type ServiceConfig = Infer<typeof ServiceConfigStruct>;

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
  const config = createConfig(value, ServiceConfigStruct);
  if (config.ledger === 'redis' && !config.redis) throw new ConfigError('redis: needed, because ledger is "redis"');
  if (config.storage.s3 && !config.redis) throw new ConfigError('redis: needed, because storage.s3 is set');
  return config;
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
