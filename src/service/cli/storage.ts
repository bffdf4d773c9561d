import type { Command } from 'commander';

import { type StorageCommand, type StorageCommandContext } from '../storage/cli/command';
import { runGc } from '../storage/cli/gc';
import { runPins } from '../storage/cli/pins';
import { runStat } from '../storage/cli/stat';
import { runUnpin } from '../storage/cli/unpin';
import { runVerify } from '../storage/cli/verify';
import { bucketOf, openShared, storageDir } from '../storage/part';
import { Bucket } from '../storage/store/bucket';
import { ConfigError } from '../runtime/config';
import { keyId } from '../keys';
import { openKeys } from '../keys/open';
import { addCommand, print, ReportedFailure, settings, writeOut, type CommonOptions } from './command';
import { makeDataDir } from './data-dir';
import { progressBar } from './progress-bar';

type StorageCliOptions = CommonOptions & { force?: boolean };

/** Keys are named by themselves or, as in logs and lists, by their IDs. */
async function tenantOf(key: string, options: CommonOptions): Promise<string> {
  if (/^[0-9a-f]{64}$/u.test(key)) return key;
  const { config, dataDir } = settings(options);
  const keys = await openKeys(config, dataDir.path, () => undefined);
  try {
    // A key that replaced another has the ID of that one.
    return (await keys.list(() => undefined)).find((record) => record.key === key)?.id ?? keyId(key);
  } finally {
    await keys.close();
  }
}

/** Runs a storage command on the data directory given on the command line. */
const running =
  (run: StorageCommand) =>
  async (options: StorageCliOptions, chosen: Pick<StorageCommandContext, 'tenant' | 'cids'> = {}): Promise<void> => {
    const { config, dataDir, json } = settings(options);
    if (!config.storage.s3) makeDataDir(dataDir);
    const shared = await openShared(config);
    const bar = progressBar(json, process.stderr, '{label} | {eta_formatted} left');
    const code = await run({
      ...(shared && { shared }),
      dataDir: storageDir(dataDir.path),
      json,
      force: options.force === true,
      ...chosen,
      output: (line) => {
        bar?.stop();
        writeOut(line);
      },
      progress: (label, done, total) => bar?.update(done, total, { label }),
    }).finally(() => bar?.stop());
    if (code !== 0) throw new ReportedFailure();
  };

async function createBucket(options: CommonOptions): Promise<void> {
  const { config, json } = settings(options);
  const bucket = bucketOf(config);
  if (bucket === undefined) throw new ConfigError('storage.s3: required, names the bucket');
  const created = await new Bucket(bucket).create();
  print(json, { bucket: bucket.bucket, created }, () =>
    created ? `${bucket.bucket} created` : `${bucket.bucket} exists already`,
  );
}

/** `storage gc|verify|stat|pins|unpin`: for the files of a stopped service, or for a bucket. */
export function storageCommand(program: Command): void {
  const storage = program.command('storage').description('maintain the stored files while the service is stopped');
  addCommand(storage, 'gc', 'remove blocks that no pin needs')
    .option(
      '--force',
      'run even if pinned blocks are missing or unreadable; blocks reachable only through them are removed',
    )
    .action((options: StorageCliOptions) => running(runGc)(options));
  addCommand(storage, 'verify', 'read every block and check its hash').action((options: StorageCliOptions) =>
    running(runVerify)(options),
  );
  addCommand(storage, 'stat', 'show what is stored').action((options: StorageCliOptions) => running(runStat)(options));
  addCommand(
    storage,
    'pins [key]',
    'list the pins of every key, or of one, which is named by itself or by its ID',
  ).action(async (key: string | undefined, options: StorageCliOptions) =>
    running(runPins)(options, key === undefined ? {} : { tenant: await tenantOf(key, options) }),
  );
  addCommand(
    storage,
    'unpin <key> [cids...]',
    'remove pins of a key, also of a revoked one; all if no CID is given',
  ).action(async (key: string, cids: string[], options: StorageCliOptions) =>
    running(runUnpin)(options, { tenant: await tenantOf(key, options), cids }),
  );
  addCommand(storage, 'create-bucket', 'create the bucket that the configuration names (storage.s3)').action(
    createBucket,
  );
}
