import { existsSync } from 'node:fs';
import { join } from 'node:path';

import Database from 'libsql';

import { type CreatedKey, KeysUnavailableError, type KeyStore } from '../keys';
import { wereLost } from '../keys/lost';
import { ConfigError } from '../runtime/config';
import { lostError } from '../runtime/held-stores';
import { ObjectStoreError } from '../storage/errors';
import { openShared, storageDir } from '../storage/part';
import { PINS_FILE } from '../storage/store/sqlite-pins';
import type { ServiceConfig } from './config';

/**
 * Whether pins are stored that somebody's key has made: in the bucket, or in the data directory.
 *
 * @throws {ConfigError} If the bucket does not tell.
 */
async function holdsPins(config: ServiceConfig, dataDir: string): Promise<boolean> {
  if (!config.storage.enabled) return false;
  const shared = await openShared(config);
  if (shared !== undefined) {
    try {
      for await (const key of shared.bucket.list('pins/')) return key !== '';
      return false;
    } catch (error) {
      if (error instanceof ObjectStoreError) throw new ConfigError(`storage.s3: ${error.message}`, { cause: error });
      throw error;
    }
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
 * @throws {KeysUnavailableError} If the store is unreachable.
 */
export async function mustNotHaveLostKeys(config: ServiceConfig, dataDir: string, keys: KeyStore): Promise<void> {
  const { ledger } = config;
  const store = ledger === 'redis' ? 'Redis' : join(dataDir, 'keys.sqlite');
  if (await wereLost(keys, dataDir, ledger)) throw lostError(dataDir, `${store}: holds no keys, but held some before`);
  if (!(await keys.isEmpty()) || !(await holdsPins(config, dataDir))) return;
  throw new ConfigError(
    `${store}: holds no keys, but files are pinned by some. Restore the backup of the keys (docs/operate.md, "Back up")`,
  );
}

/**
 * Makes the first key, without which the service is useless. Not in Redis, which may be empty because it has lost keys
 * that this process never saw.
 *
 * @returns Undefined if there are keys, or the store is Redis or unreachable: who needs a key then makes one.
 * @throws {ConfigError} As {@link mustNotHaveLostKeys}: a store that was unreachable before may have come back empty.
 */
export async function firstKey(
  config: ServiceConfig,
  dataDir: string,
  keys: KeyStore,
): Promise<CreatedKey | undefined> {
  try {
    await mustNotHaveLostKeys(config, dataDir, keys);
    const created = await keys.createFirst?.({ name: 'first' });
    await wereLost(keys, dataDir, config.ledger);
    return created;
  } catch (error) {
    if (error instanceof KeysUnavailableError) return undefined;
    throw error;
  }
}
