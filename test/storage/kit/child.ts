import { openSharedStorage, type SharedStorageOptions } from '../../../src/service/storage/s3/open';
import { startStorage } from '../../../src/service/storage/server';

/**
 * Runs a storage service in a separate process: `child.ts <data directory> [segment bytes] [bucket]`, where the bucket
 * is the options of `openSharedStorage` in JSON. It prints its port.
 */
const [dataDir = '', segmentBytes = String(64 << 20), bucket] = process.argv.slice(2);
const warn = (message: string) => process.stderr.write(`${message}\n`);
const shared =
  bucket === undefined
    ? undefined
    : await openSharedStorage({ ...(JSON.parse(bucket) as Omit<SharedStorageOptions, 'warn'>), warn });
const running = await startStorage({
  dataDir,
  authenticate: null,
  port: 0,
  segmentBytes: Number(segmentBytes),
  ...(shared && { shared }),
  logger: {
    info: () => undefined,
    warn: (_fields, message) => warn(message),
    error: (fields, message) => process.stderr.write(`${message} ${JSON.stringify(fields)}\n`),
  },
});
process.stdout.write(`${running.port}\n`);
process.on('SIGTERM', () => {
  void running.stop();
});
