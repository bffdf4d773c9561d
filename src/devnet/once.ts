import { relative } from 'node:path';

import { buildSnap } from '../../scripts/build';
import { startAnvil } from './anvil';
import { embedSnap } from './embedded-snap';
import { runMainJob } from './main-job';
import { type Run } from './run';
import { serveSnap } from './snap-server';

/** Builds the snap and runs its main flow on a temporary chain, in a terminal; uses free ports. */
export async function runOnce({ signal, progress, parts }: Run): Promise<void> {
  const { folder } = await progress.step(
    'snap build',
    () => buildSnap({ edition: 'dev', ifStale: true, signal }),
    (built) => `${relative(process.cwd(), built.folder)}/  checksum ${built.shasum}`,
  );
  const server = parts.add('The snap server', await serveSnap(folder, 0));
  progress.done('snap server', server.url);
  const anvil = await progress.step(
    'chain',
    async () => parts.add('The chain', await startAnvil({ signal })),
    ({ url }) => `${url}  (anvil, chain ID 31337)`,
  );
  const snap = await progress.step(
    'snap runtime',
    async () => parts.add('The snap', await embedSnap(server.url)),
    () => "MetaMask's, with a simulated wallet; do not use real funds",
  );
  await runMainJob(snap, anvil.url, (what, result) => {
    signal.throwIfAborted();
    progress.done(what, result);
  });
  progress.line('\nEverything was signed by the snap and verified by code that is not ours.');
}
