import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../service/folder';
import { OWN_ADDRESS } from '../service/own-address';
import { untilOutput } from '../service/until-output';
import { type BlockStore } from '../../../src/service/storage/store/block-store';
import { type BucketStorageOptions, openBucketStorage } from '../../../src/service/storage/store/open-bucket';

const PEERS = join(__dirname, '../../service/storage/peers');
const installed = existsSync(join(PEERS, 'node_modules', 's3rver'));

/** Why tests with a bucket are skipped, or undefined if they run. */
export const noBucket = installed
  ? undefined
  : 'skipped: s3rver is not installed, see scripts/install-storage-peers.sh';

const GRACE_SECONDS = 3600;

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

/** A bucket, and functions to stop its service. */
export type TestBucket = {
  readonly endpoint: string;
  /** Where s3rver keeps the objects of the bucket: `<key>._S3rver_object`. */
  readonly directory: string;
  /** The options with which another process opens the same bucket. */
  readonly options: BucketStorageOptions;
  /** Opens the blocks and pins in the bucket. */
  readonly open: (options?: Partial<BucketStorageOptions>) => ReturnType<typeof openBucketStorage>;
  /** Makes all blocks below a prefix older than the grace time, and announcements of removals too old to count. */
  readonly age: (prefix: string) => void;
  /** Stops the S3 service. `back` starts it again at the same address. */
  readonly leave: () => Promise<void>;
  readonly back: () => Promise<void>;
};

/** Starts an S3 service with the bucket `files`. It is stopped after the test file. */
export async function startBucket(): Promise<TestBucket> {
  const directory = makeFolder();
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
    graceSeconds: GRACE_SECONDS,
  };
  return {
    endpoint,
    options,
    directory: join(directory, 'files'),
    open: async (more = {}) => {
      const storage = await openBucketStorage({ ...options, ...more });
      opened.push(storage);
      return storage;
    },
    age: (prefix) => {
      const old = Date.now() / 1000 - 2 * GRACE_SECONDS;
      for (const kind of ['blocks', 'copies', 'removing']) {
        const folder = join(directory, 'files', prefix, kind);
        for (const name of existsSync(folder) ? readdirSync(folder, { recursive: true }) : [])
          if (String(name).endsWith('_object')) utimesSync(join(folder, String(name)), old, old);
      }
    },
    leave: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
    back,
  };
}
