import { startStorage } from '../../src/service/storage/server';

/** The measured process: `serve.ts <data directory> <durable: true|false>`. Prints its port. */
const [dataDir = '', durable] = process.argv.slice(2);
const { port } = await startStorage({ dataDir, durable: durable === 'true', authenticate: null, port: 0 });
process.stdout.write(`${port}\n`);
