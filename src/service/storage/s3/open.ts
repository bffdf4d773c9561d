import { connectRedis } from '../../runtime/redis';
import { type BlockStore } from '../blocks/store';
import { type PinBook } from '../pins/book';
import { BucketPins } from '../pins/bucket';
import { Bucket, type BucketOptions } from './bucket';
import { ObjectBlockStore } from './object-store';
import { SharedIndex } from './shared-index';

export { ObjectStoreError } from './bucket';

export type SharedStorageOptions = BucketOptions & {
  /** `redis://` or `rediss://` address of the Redis that all processes share. */
  readonly redisUrl: string;
  /** Bytes of a segment. Default 8 MiB. */
  readonly segmentBytes?: number;
  /** Bytes of small blocks kept in memory. Default 16 MiB. */
  readonly cacheBytes?: number;
  /** How long a request may work with blocks; what it touched is kept from garbage collection that long, in seconds. */
  readonly requestSeconds: number;
  /** Told of damage, repairs, and lost connections. */
  readonly warn: (message: string) => void;
};

/** Requests may still be writing this long after their time is up. */
const GRACE_SECONDS = 120;

/**
 * Opens blocks and pins in a bucket, for several processes at once.
 *
 * @throws ConfigError when Redis cannot be reached, ObjectStoreError when the bucket cannot be used.
 */
export async function openSharedStorage(
  options: SharedStorageOptions,
): Promise<{ readonly store: BlockStore; readonly pins: PinBook }> {
  const { redisUrl, segmentBytes = 8 << 20, cacheBytes = 16 << 20, requestSeconds, warn } = options;
  const bucket = new Bucket(options);
  const client = await connectRedis(redisUrl, (error) => {
    warn(`the block index in Redis cannot be reached: ${error.message}`);
  });
  try {
    const keepMs = (requestSeconds + GRACE_SECONDS) * 1000;
    const index = await SharedIndex.open(client, `${options.bucket}/${options.prefix}`, keepMs);
    const store = await ObjectBlockStore.open(bucket, index, { segmentBytes, cacheBytes, warn });
    return { store, pins: new BucketPins(bucket) };
  } catch (error) {
    await client.close();
    throw error;
  }
}
