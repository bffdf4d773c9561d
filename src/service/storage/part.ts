import { join } from 'node:path';

import { ConfigError } from '../runtime/config';
import { openUse } from '../keys/open';
import { requestIds } from '../runtime/request-id';
import { type Authenticate } from './api/access';
import { type StorageServiceConfig } from './config';
import { ObjectStoreError, RequestError } from './errors';
import { type KeyStore, KeysUnavailableError, lasts } from '../keys';
import type { PartContext, RunningPart, ServicePart } from '../part';
import { startStorage } from './server';
import type { BucketStorage, BucketStorageOptions } from './store/open-bucket';

/** The folder of blocks and pins in a data directory. */
export const storageDir = (dataDir: string): string => join(dataDir, 'storage');

/** How long after their time limit requests may still be writing, in seconds. */
const LATE_SECONDS = 120;

/**
 * Where the configured bucket is, and the credentials for it.
 *
 * @param config - The service's configuration.
 * @returns Undefined if blocks and pins are kept in the data directory.
 * @throws {ConfigError} If credentials are missing, or the grace time is too short.
 */
export function bucketOf({ storage: { s3, limits } }: StorageServiceConfig): BucketStorageOptions | undefined {
  if (s3 === undefined) return undefined;
  const accessKeyId = s3.accessKeyId ?? process.env['AWS_ACCESS_KEY_ID'];
  const secretAccessKey = s3.secretAccessKey ?? process.env['AWS_SECRET_ACCESS_KEY'];
  if (!accessKeyId || !secretAccessKey)
    throw new ConfigError(
      'storage.s3: needs accessKeyId and secretAccessKey (or AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY)',
    );
  const least = 2 * (limits.requestSeconds + LATE_SECONDS);
  if (s3.graceSeconds < least)
    throw new ConfigError(
      `storage.s3.graceSeconds: must be at least ${least}, twice limits.requestSeconds and ${LATE_SECONDS} more`,
    );
  return { ...s3, accessKeyId, secretAccessKey };
}

/**
 * Opens the configured bucket.
 *
 * @param config - The service's configuration.
 * @returns Blocks and pins; undefined if they are kept in the data directory.
 * @throws {ConfigError} As {@link bucketOf}, or if the bucket is unavailable.
 */
export async function openShared(config: StorageServiceConfig): Promise<BucketStorage | undefined> {
  const bucket = bucketOf(config);
  if (bucket === undefined) return undefined;
  // Imported on demand: most installations have no bucket.
  const { openBucketStorage } = await import('./store/open-bucket');
  try {
    return await openBucketStorage(bucket);
  } catch (error) {
    if (error instanceof ObjectStoreError) throw new ConfigError(`storage.s3: ${error.message}`, { cause: error });
    throw error;
  }
}

/**
 * Authenticates callers by key and secret.
 *
 * @param keys - The key store.
 * @returns A function that rejects with RequestError 503 while the store is unreachable.
 */
export function authenticateWith(keys: Pick<KeyStore, 'verify'>): Authenticate {
  return async (key, secret) => {
    try {
      return await keys.verify(key, secret);
    } catch (error) {
      if (!(error instanceof KeysUnavailableError)) throw error;
      throw new RequestError(503, 'API keys cannot be verified right now; try again');
    }
  };
}

/**
 * Whether the key belongs to the operator: the operator creates the first key, and if only one key is valid, all blocks
 * are its own.
 */
async function isFirstOrOnly(keys: KeyStore, id: string): Promise<boolean> {
  const all = await keys.list();
  const valid = new Set(all.filter((key) => key.revokedAt === undefined && lasts(key)).map((key) => key.id));
  return all[0]?.id === id || (valid.size === 1 && valid.has(id));
}

async function start({ config, dataDir, keys, log, metrics }: PartContext<StorageServiceConfig>): Promise<RunningPart> {
  const { enabled, host, port, origins, operators, limits } = config.storage;
  const { durable, hashOnRead, diskReserveBytes, gateway } = config.storage;
  if (!enabled) return { addresses: [], problems: () => Promise.resolve([]), stop: () => Promise.resolve() };
  const shared = await openShared(config);
  const storage = await startStorage({
    dataDir: storageDir(dataDir),
    ...(shared && { shared }),
    ...(config.tls && { tls: config.tls }),
    ...(gateway && { gateway }),
    authenticate: authenticateWith(keys),
    host,
    port,
    origins,
    limits,
    durable,
    hashOnRead,
    diskReserveBytes,
    operators: operators ?? ((tenant) => isFirstOrOnly(keys, tenant)),
    use: await openUse(config, dataDir, () => undefined, { isPatient: true }),
    logger: log,
    requestId: requestIds(config.trustedProxies),
    metrics,
  });
  return {
    addresses: [
      { label: 'Storage', url: storage.url },
      ...(storage.gateway ? [{ label: 'Gateway', url: storage.gateway.url }] : []),
    ],
    problems: storage.problems,
    leave: storage.leave,
    stop: storage.stop,
  };
}

/** The file-storage service: the HTTP API under /api/v0/. */
export const storagePart: ServicePart<StorageServiceConfig> = { name: 'storage', start };
