import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

import { portsFrom } from '../src/devnet/ports';

/**
 * Runs a command while the usual ports of the devnet are taken, as they are while `npm start` runs: a test that needs
 * one of them fails. `tsx scripts/hold-ports.ts COMMAND...`
 */

const [command = '', ...args] = process.argv.slice(2);
for (const port of Object.values(portsFrom(undefined))) {
  const server = createServer((socket) => socket.destroy());
  server.listen(port, '127.0.0.1');
  // Taken by another program is taken, too.
  await Promise.race([once(server, 'listening'), once(server, 'error')]).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
  });
}
const [code] = (await once(spawn(command, args, { stdio: 'inherit' }), 'exit')) as [number | null];
process.exit(code ?? 1);
