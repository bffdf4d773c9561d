import { readFileSync } from 'node:fs';

import { type CommonConfig, ConfigError, isRedisUrl } from './config';
import { errorCode } from './error-code';

/** An address may have a password, which a secret store gives to the environment or as a file. */
const VARIABLE = 'KEYSTEAD_REDIS_URL';

function readUrl(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new ConfigError(`redis.urlFile: ${path}: cannot be read (${errorCode(error) ?? String(error)})`, {
      cause: error,
    });
  }
}

/**
 * Finds the address of Redis: in the configuration, in the file that it names, or in the environment, in this order.
 *
 * @param config - The service's configuration.
 * @returns A `redis://` or `rediss://` address; may contain a password.
 * @throws {ConfigError} If there is none. The message never repeats the address.
 */
export function redisUrlOf({ redis = {} }: Pick<CommonConfig, 'redis'>): string {
  const { url, urlFile } = redis;
  if (url !== undefined && urlFile !== undefined) throw new ConfigError('redis: has both url and urlFile; keep one');
  if (url !== undefined) return url;
  const setting = urlFile === undefined ? VARIABLE : `redis.urlFile: ${urlFile}`;
  const found = urlFile === undefined ? process.env[VARIABLE] : readUrl(urlFile);
  if (urlFile === undefined && !found)
    throw new ConfigError(`redis: required when ledger is "redis"; or set redis.urlFile, or ${VARIABLE}`);
  if (found === undefined || !isRedisUrl(found))
    throw new ConfigError(`${setting}: Expected a redis:// or rediss:// address`);
  return found;
}
