import { type BucketStorageOptions, openBucketStorage } from '../../../src/service/storage/store/open-bucket';
import { startStorage } from '../../../src/service/storage/server';

/**
 * Runs a storage service in a separate process: `child.ts <data directory> [bucket]`, where the bucket
 * is the options of `openBucketStorage` in JSON. It prints its port, and that of its gateway.
 */
const [dataDir = '', bucket] = process.argv.slice(2);
const warn = (message: string) => process.stderr.write(`${message}\n`);
const shared = bucket === undefined ? undefined : await openBucketStorage(JSON.parse(bucket) as BucketStorageOptions);
const running = await startStorage({
  dataDir,
  authenticate: null,
  port: 0,
  gateway: { host: '127.0.0.1', port: 0, requests: 64, requestsPerAddress: 16, stallSeconds: 300, carBlocks: 250_000 },
  ...(shared && { shared }),
  logger: {
    info: () => undefined,
    warn: (_fields, message) => warn(message),
    error: (fields, message) => process.stderr.write(`${message} ${JSON.stringify(fields)}\n`),
  },
});
process.stdout.write(`${running.port} ${running.gateway?.port ?? 0}\n`);
process.on('SIGTERM', () => {
  void running.stop();
});
