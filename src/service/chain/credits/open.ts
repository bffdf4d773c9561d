import { join } from 'node:path';

import type { CommonConfig } from '../../runtime/config';
import { mustStillExist, noteHeld } from '../../runtime/held-stores';
import { connectRedis } from '../../runtime/redis';
import { redisUrlOf } from '../../runtime/redis-url';
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
  if (config.ledger === 'redis') {
    return openRedisLedger(await connectRedis(redisUrlOf(config), onError, { isPatient: true }));
  }
  const file = 'credits.sqlite';
  mustStillExist(dataDir, file);
  const ledger = openSqliteLedger(join(dataDir, file));
  await noteHeld(dataDir, file);
  return ledger;
}
