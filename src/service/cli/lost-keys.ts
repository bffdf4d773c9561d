import { existsSync } from 'node:fs';
import { join } from 'node:path';

import Database from 'libsql';

import { KeysUnavailableError, type KeyStore } from '../keys';
import { wereLost } from '../keys/lost';
import { ConfigError } from '../runtime/config';
import { lostError } from '../runtime/held-stores';
import { openShared, storageDir } from '../storage/part';
import { PINS_FILE } from '../storage/store/sqlite-pins';
import type { ServiceConfig } from './config';

/** Whether pins are stored that somebody's key has made: in the bucket, or in the data directory. */
async function holdsPins(config: ServiceConfig, dataDir: string): Promise<boolean> {
  if (!config.storage.enabled) return false;
  // Without access to the bucket, the storage service does not start either.
  const shared = await openShared(config).catch((error: unknown) => {
    if (error instanceof ConfigError) return undefined;
    throw error;
  });
  if (config.storage.s3 !== undefined && shared === undefined) return false;
  if (shared !== undefined) {
    for await (const key of shared.bucket.list('pins/')) return key !== '';
    return false;
  }
  const path = join(storageDir(dataDir), PINS_FILE);
  if (!existsSync(path)) return false;
  const db = new Database(path, { readonly: true });
  try {
    return db.prepare('SELECT 1 FROM pins LIMIT 1').get() !== undefined;
  } finally {
    db.close();
  }
}

/**
 * Checks that the key store has not lost its keys, before somebody makes a first one. The owner of the first key is an
 * operator, and would be one over the files of others.
 *
 * @throws {ConfigError} If the store is empty although it held keys, or files are pinned.
 */
export async function mustNotHaveLostKeys(config: ServiceConfig, dataDir: string, keys: KeyStore): Promise<void> {
  const { ledger } = config;
  const store = ledger === 'redis' ? 'Redis' : join(dataDir, 'keys.sqlite');
  try {
    if (await wereLost(keys, dataDir, ledger))
      throw lostError(dataDir, `${store}: holds no keys, but held some before`);
    if (!(await keys.isEmpty()) || !(await holdsPins(config, dataDir))) return;
  } catch (error) {
    // Redis is not there yet; readiness goes on looking.
    if (error instanceof KeysUnavailableError) return;
    throw error;
  }
  throw new ConfigError(
    `${store}: holds no keys, but files are pinned by some. Restore the backup of the keys (docs/operate.md, "Back up")`,
  );
}
