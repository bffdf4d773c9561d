import { join } from 'node:path';

import type { CommonConfig } from '../runtime/config';
import { connectRedis } from '../runtime/redis';
import { redisUrlOf } from '../runtime/redis-url';
import type { KeyStore } from './index';
import { openRedisKeys } from './redis';
import { openSqliteKeys } from './sqlite';

/**
 * Opens the configured key store.
 *
 * @param config - The service's configuration.
 * @param dataDir - Holds `keys.sqlite` unless keys are in Redis.
 * @param onError - Called when the connection to Redis is lost.
 * @param options - Whether to go on without Redis.
 * @returns The key store; close it when done.
 */
export async function openKeys(
  config: Pick<CommonConfig, 'ledger' | 'redis'>,
  dataDir: string,
  onError: (error: Error) => void,
  options: Parameters<typeof connectRedis>[2] = {},
): Promise<KeyStore> {
  if (config.ledger === 'redis') return openRedisKeys(await connectRedis(redisUrlOf(config), onError, options));
  return openSqliteKeys(join(dataDir, 'keys.sqlite'));
}
