import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../service/support/folder';
import { OWN_ADDRESS } from '../../service/support/own-address';
import { noRedis, startRedis, type TestRedis } from '../../service/support/redis';
import { untilOutput } from '../../service/support/until-output';
import { type BlockStore } from '../../../src/service/storage/blocks/store';
import { openSharedStorage, type SharedStorageOptions } from '../../../src/service/storage/s3/open';

const PEERS = join(__dirname, '..', 'peers');
const installed = existsSync(join(PEERS, 'node_modules', 's3rver'));

/** Why tests with a bucket are skipped, or undefined if they run. */
export const noBucket =
  noRedis ?? (installed ? undefined : 'skipped: s3rver is not installed, see scripts/install-storage-peers.sh');

const started: ChildProcess[] = [];

const opened: { readonly store: BlockStore }[] = [];

afterAll(async () => {
  for (const { store } of opened.splice(0)) await store.close();
  for (const child of started.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

/** A bucket and a Redis, and functions to stop them. */
export type TestBucket = {
  readonly endpoint: string;
  readonly redis: TestRedis;
  /** Where s3rver keeps the objects of the bucket: `<key>._S3rver_object`. */
  readonly directory: string;
  /** The options with which another process opens the same bucket. */
  readonly options: Omit<SharedStorageOptions, 'warn'>;
  /** Opens the blocks and pins in the bucket. */
  readonly open: (
    options?: Partial<SharedStorageOptions> & { readonly warnings?: string[] },
  ) => ReturnType<typeof openSharedStorage>;
  /** Stops the S3 service. `back` starts it again at the same address. */
  readonly leave: () => Promise<void>;
  readonly back: () => Promise<void>;
};

/**
 * Starts an S3 service with the bucket `files`, and a Redis. Both are stopped after the test file.
 *
 * @param redis - Another Redis to use.
 */
export async function startBucket(redis?: TestRedis): Promise<TestBucket> {
  const directory = makeFolder();
  const index = redis ?? (await startRedis());
  let port = 0;
  let child: ChildProcess;
  const back = async () => {
    child = spawn(process.execPath, ['run-s3.mjs', directory, OWN_ADDRESS, String(port)], {
      cwd: PEERS,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    started.push(child);
    port = Number((await untilOutput(child, /ready (\d+)/))[1]);
  };
  await back();
  const endpoint = `http://${OWN_ADDRESS}:${port}`;
  const options = {
    endpoint,
    region: 'us-east-1',
    bucket: 'files',
    prefix: '',
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
    redisUrl: index.url,
    requestSeconds: 600,
  };
  return {
    endpoint,
    options,
    redis: index,
    directory: join(directory, 'files'),
    open: async ({ warnings = [], ...more } = {}) => {
      const storage = await openSharedStorage({
        ...options,
        segmentBytes: 100_000,
        cacheBytes: 0,
        ...more,
        warn: (message) => warnings.push(message),
      });
      opened.push(storage);
      return storage;
    },
    leave: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
    back,
  };
}
