import { join } from 'node:path';

import type { CommonConfig } from '../../runtime/config';
import { connectRedis } from '../../runtime/redis';
import type { CreditLedger } from './index';
import { openRedisLedger } from './redis';
import { openSqliteLedger } from './sqlite';

/**
 * Opens the configured ledger.
 *
 * @param config - The service's configuration.
 * @param dataDir - Holds `credits.sqlite` unless the ledger is in Redis.
 * @param onError - Called when the connection to Redis is lost.
 * @returns The ledger; close it when done.
 */
export async function openLedger(
  config: Pick<CommonConfig, 'ledger' | 'redis'>,
  dataDir: string,
  onError: (error: Error) => void,
): Promise<CreditLedger> {
  if (config.ledger === 'redis' && config.redis) {
    return openRedisLedger(await connectRedis(config.redis.url, onError, { isPatient: true }));
  }
  return openSqliteLedger(join(dataDir, 'credits.sqlite'));
}
