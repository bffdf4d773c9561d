import { join } from 'node:path';

import { ConfigError } from '../runtime/config';
import { type StorageServiceConfig } from './config';
import type { KeyStore } from '../keys';
import type { PartContext, RunningPart, ServicePart } from '../part';
import { startStorage, type StorageOptions } from './server';

/** The folder of blocks and pins in a data directory. */
export const storageDir = (dataDir: string): string => join(dataDir, 'storage');

/**
 * Opens the configured bucket.
 *
 * @param config - The service's configuration.
 * @param warn - Called on damage, repairs and lost connections.
 * @returns Blocks and pins; undefined if they are kept in the data directory.
 * @throws {ConfigError} If credentials are missing, or Redis or the bucket is unavailable.
 */
export async function openShared(
  { storage: { s3, cacheBytes, limits }, redis }: StorageServiceConfig,
  warn: (message: string) => void,
): Promise<StorageOptions['shared']> {
  if (s3 === undefined) return undefined;
  const accessKeyId = s3.accessKeyId ?? process.env['AWS_ACCESS_KEY_ID'];
  const secretAccessKey = s3.secretAccessKey ?? process.env['AWS_SECRET_ACCESS_KEY'];
  if (redis === undefined || !accessKeyId || !secretAccessKey)
    throw new ConfigError(
      'storage.s3: needs redis.url, accessKeyId and secretAccessKey (or AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY)',
    );
  // Imported on demand: most installations have no bucket.
  const { openSharedStorage, ObjectStoreError } = await import('./s3/open');
  try {
    return await openSharedStorage({
      ...s3,
      accessKeyId,
      secretAccessKey,
      redisUrl: redis.url,
      requestSeconds: limits.requestSeconds,
      cacheBytes,
      warn,
    });
  } catch (error) {
    if (error instanceof ObjectStoreError) throw new ConfigError(`storage.s3: ${error.message}`, { cause: error });
    throw error;
  }
}

/**
 * Whether the key belongs to the operator: the operator creates the first key, and if only one key is valid, all blocks
 * are its own.
 */
async function isFirstOrOnly(keys: KeyStore, id: string): Promise<boolean> {
  const all = await keys.list();
  const valid = all.filter(({ revokedAt }) => revokedAt === undefined);
  return all[0]?.id === id || (valid.length === 1 && valid[0]?.id === id);
}

async function start({ config, dataDir, keys, log, metrics }: PartContext<StorageServiceConfig>): Promise<RunningPart> {
  const { enabled, host, port, origins, operators, limits } = config.storage;
  const { durable, segmentBytes, cacheBytes, gateway } = config.storage;
  if (!enabled) return { addresses: [], problems: () => Promise.resolve([]), stop: () => Promise.resolve() };
  const shared = await openShared(config, (message) => {
    log.warn(message);
  });
  const storage = await startStorage({
    dataDir: storageDir(dataDir),
    ...(shared && { shared }),
    ...(config.tls && { tls: config.tls }),
    ...(gateway && { gateway }),
    authenticate: async (key, secret) => (await keys.verify(key, secret))?.id,
    host,
    port,
    origins,
    limits,
    durable,
    segmentBytes,
    cacheBytes,
    operators: operators ?? ((tenant) => isFirstOrOnly(keys, tenant)),
    logger: log,
    metrics,
  });
  return {
    addresses: [
      { label: 'Storage', url: storage.url },
      ...(storage.gateway ? [{ label: 'Gateway', url: storage.gateway.url }] : []),
    ],
    problems: storage.problems,
    stop: storage.stop,
  };
}

/** The file-storage service: the HTTP API under /api/v0/. */
export const storagePart: ServicePart<StorageServiceConfig> = { name: 'storage', start };
