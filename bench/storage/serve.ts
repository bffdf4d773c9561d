import { startStorage } from '../../src/service/storage/server';
import { tuneForFiles } from '../../src/service/runtime/v8-memory';

/** The measured process: `serve.ts <data directory> <durable: true|false>`. Prints its port. */
const [dataDir = '', durable] = process.argv.slice(2);
// Like `serve` if no network has anything to look up.
tuneForFiles();
const { port } = await startStorage({ dataDir, durable: durable === 'true', authenticate: null, port: 0 });
process.stdout.write(`${port}\n`);
