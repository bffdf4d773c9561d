import { join } from 'node:path';

import type { CommonConfig } from '../runtime/config';
import { connectRedis } from '../runtime/redis';
import { redisUrlOf } from '../runtime/redis-url';
import type { UseStore } from './use';
import { openRedisUse } from './use-redis';
import { openSqliteUse } from './use-sqlite';

/**
 * Opens the store of what keys have used, where keys are kept.
 *
 * @param dataDir - Holds `use.sqlite` unless keys are in Redis.
 * @param onError - Called when the connection to Redis is lost.
 * @param options - Whether to go on without Redis.
 */
export async function openUse(
  config: Pick<CommonConfig, 'ledger' | 'redis'>,
  dataDir: string,
  onError: (error: Error) => void,
  options: Parameters<typeof connectRedis>[2] = {},
): Promise<UseStore> {
  if (config.ledger === 'redis') return openRedisUse(await connectRedis(redisUrlOf(config), onError, options));
  return openSqliteUse(join(dataDir, 'use.sqlite'));
}
