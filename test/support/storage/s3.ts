import { existsSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { type BlockStore } from '../../../src/service/storage/store/block-store';
import { type BucketStorageOptions, openBucketStorage } from '../../../src/service/storage/store/open-bucket';
import { type S3Process, startS3 } from './s3-process';

const GRACE_SECONDS = 3600;

const opened: { readonly store: BlockStore }[] = [];

afterAll(async () => {
  for (const { store } of opened.splice(0)) await store.close();
});

/** A bucket, and functions to stop its service. */
export type TestBucket = Omit<S3Process, 'directory'> & {
  /** Where s3rver keeps the objects of the bucket: `<key>._S3rver_object`. */
  readonly directory: string;
  /** The options with which another process opens the same bucket. */
  readonly options: BucketStorageOptions;
  /** Opens the blocks and pins in the bucket. */
  readonly open: (options?: Partial<BucketStorageOptions>) => ReturnType<typeof openBucketStorage>;
  /** Makes all blocks below a prefix older than the grace time, and announcements of removals too old to count. */
  readonly age: (prefix: string) => void;
};

/** Starts an S3 service with the bucket `files`. It is stopped after the test file. */
export async function startBucket(): Promise<TestBucket> {
  const s3 = await startS3();
  const options = {
    endpoint: s3.endpoint,
    region: 'us-east-1',
    bucket: 'files',
    prefix: '',
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
    graceSeconds: GRACE_SECONDS,
  };
  const directory = join(s3.directory, 'files');
  return {
    ...s3,
    options,
    directory,
    open: async (more = {}) => {
      const storage = await openBucketStorage({ ...options, ...more });
      opened.push(storage);
      return storage;
    },
    age: (prefix) => {
      const old = Date.now() / 1000 - 2 * GRACE_SECONDS;
      for (const kind of ['blocks', 'copies', 'removing']) {
        const folder = join(directory, prefix, kind);
        for (const name of existsSync(folder) ? readdirSync(folder, { recursive: true }) : [])
          if (String(name).endsWith('_object')) utimesSync(join(folder, String(name)), old, old);
      }
    },
  };
}
