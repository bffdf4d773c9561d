import { join } from 'node:path';

import type { CommonConfig } from '../runtime/config';
import { connectRedis, type RedisClient } from '../runtime/redis';
import { redisUrlOf } from '../runtime/redis-url';
import { openRedisKeys } from './redis';
import { openSqliteKeys } from './sqlite';
import { openRedisUse } from './use-redis';
import { openSqliteUse } from './use-sqlite';

/** Opens a store where keys are kept: in Redis, or in a file of the data directory. */
const opener =
  <Store>(file: string, inRedis: (client: RedisClient) => Store, inFile: (path: string) => Store) =>
  /**
   * @param config - The service's configuration.
   * @param dataDir - Holds the file.
   * @param onError - Called when the connection to Redis is lost.
   * @param options - Whether to go on without Redis.
   * @returns The store; close it when done.
   */
  async (
    config: Pick<CommonConfig, 'ledger' | 'redis'>,
    dataDir: string,
    onError: (error: Error) => void,
    options: Parameters<typeof connectRedis>[2] = {},
  ): Promise<Store> =>
    config.ledger === 'redis'
      ? inRedis(await connectRedis(redisUrlOf(config), onError, options))
      : inFile(join(dataDir, file));

/** Opens the configured key store. */
export const openKeys = opener('keys.sqlite', openRedisKeys, openSqliteKeys);

/** Opens the store of what keys have used. */
export const openUse = opener('use.sqlite', openRedisUse, openSqliteUse);
