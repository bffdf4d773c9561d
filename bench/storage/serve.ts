import { setFlagsFromString } from 'node:v8';

// As `bin/keystead.js` does, before anything is loaded.
setFlagsFromString('--semi-space-growth-factor=1');

/** The measured process: `serve.ts <data directory> <durable: true|false>`. Prints its port. */
const { startStorage } = await import('../../src/service/storage/server');
const [dataDir = '', durable] = process.argv.slice(2);
const { port } = await startStorage({ dataDir, durable: durable === 'true', authenticate: null, port: 0 });
process.stdout.write(`${port}\n`);
