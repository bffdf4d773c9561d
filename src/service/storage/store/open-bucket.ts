import { isPassing } from '../errors';
import { Bucket, type BucketOptions } from './bucket';
import { BucketPins } from './bucket-pins';
import { BucketStore } from './bucket-store';

export type BucketStorageOptions = BucketOptions & {
  /** Seconds for which a block is kept from collections after it was stored or pinned. */
  readonly graceSeconds: number;
};

/** Blocks and pins in a bucket, and the bucket itself. */
export type BucketStorage = { readonly bucket: Bucket; readonly store: BucketStore; readonly pins: BucketPins };

/**
 * Opens blocks and pins in a bucket, for several processes at once.
 *
 * @throws ObjectStoreError if the bucket does not exist or refuses access; not if it cannot be reached now.
 */
export async function openBucketStorage(options: BucketStorageOptions): Promise<BucketStorage> {
  const bucket = new Bucket(options);
  const store = new BucketStore(bucket, options.graceSeconds * 1000);
  try {
    await store.check();
  } catch (error) {
    // A start does not wait for the bucket: requests that need it fail until it is there.
    if (!isPassing(error)) throw error;
  }
  return { bucket, store, pins: new BucketPins(bucket) };
}
