import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../service/folder';
import { OWN_ADDRESS } from '../service/own-address';
import { untilOutput } from '../service/until-output';

const PEERS = join(__dirname, '../../service/storage/peers');
const installed = existsSync(join(PEERS, 'node_modules', 's3rver'));

/** Why tests with a bucket are skipped, or undefined if they run. */
export const noBucket = installed
  ? undefined
  : 'skipped: s3rver is not installed, see scripts/install-storage-peers.sh';

const started: ChildProcess[] = [];

afterAll(async () => {
  for (const child of started.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

/** An S3 service with the bucket `files`. */
export type S3Process = {
  readonly endpoint: string;
  /** Where it keeps its buckets. */
  readonly directory: string;
  /** Stops it. `back` starts it again at the same address. */
  readonly leave: () => Promise<void>;
  readonly back: () => Promise<void>;
};

/** Starts an S3 service, whose credentials are `S3RVER` and `S3RVER`. It is stopped after the test file. */
export async function startS3(): Promise<S3Process> {
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
  return {
    endpoint: `http://${OWN_ADDRESS}:${port}`,
    directory,
    leave: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
    back,
  };
}
