import { connectRedis } from '../../runtime/redis';
import { type BlockStore } from '../blocks/store';
import { type PinStore } from '../pins/pin-store';
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
  /** Memory for caching small blocks, in bytes. Default 16 MiB. */
  readonly cacheBytes?: number;
  /** Maximum duration of a request in seconds; blocks it touched are kept from garbage collection that long. */
  readonly requestSeconds: number;
  /** Called on damage, repairs, and lost connections. */
  readonly warn: (message: string) => void;
};

/** Requests may still be writing this long after their time limit. */
const GRACE_SECONDS = 120;

/**
 * Opens blocks and pins in a bucket, for several processes at once.
 *
 * @throws ConfigError if Redis is unreachable, ObjectStoreError if the bucket is unavailable.
 */
export async function openSharedStorage(
  options: SharedStorageOptions,
): Promise<{ readonly store: BlockStore; readonly pins: PinStore }> {
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
