import { startStorage } from '../../../src/service/storage/server';

/** Runs a storage service in a process of its own: `child.ts <data directory> [segment bytes]`. Prints its port. */
const [dataDir = '', segmentBytes = String(64 << 20)] = process.argv.slice(2);
const running = await startStorage({
  dataDir,
  authenticate: null,
  port: 0,
  segmentBytes: Number(segmentBytes),
  logger: {
    info: () => undefined,
    warn: (_fields, message) => process.stderr.write(`${message}\n`),
    error: (fields, message) => process.stderr.write(`${message} ${JSON.stringify(fields)}\n`),
  },
});
process.stdout.write(`${running.port}\n`);
process.on('SIGTERM', () => {
  void running.stop();
});
