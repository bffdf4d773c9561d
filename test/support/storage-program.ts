import { startStorage } from '../../src/service/storage/server';

/** Runs a storage service for one tenant: `<data directory> <key> <secret>`. Prints its port. */
const [dataDir = '', key, secret] = process.argv.slice(2);
const running = await startStorage({
  dataDir,
  port: 0,
  origins: ['null'],
  authenticate: async (name, password) => (name === key && password === secret ? { id: 'tenant' } : undefined),
});
process.stdout.write(`${running.port}\n`);
const stop = () => void running.stop();
process.on('SIGTERM', stop);
// The process that started it is gone.
process.stdin.on('end', stop).resume().unref();
