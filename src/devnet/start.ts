import { relative } from 'node:path';
import { parseArgs } from 'node:util';

import { buildSnap } from '../../scripts/build';
import { startAnvil } from './anvil';
import { embedSnap } from './embedded-snap';
import { runMainJob } from './main-job';
import { serveSnap } from './snap-server';

const USAGE = `npm start                 build, run the main job, and serve the snap until Ctrl-C
npm start -- --port 9000  serve the snap on another port than 8080 (0: a free one)
npm start -- --once       run the main job and end`;

type Options = { readonly port: number; readonly once: boolean };

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '8080' },
      once: { type: 'boolean', default: false },
      help: { type: 'boolean' },
    },
  });
  if (values.help === true) {
    console.log(USAGE);
    process.exit(0);
  }
  if (!/^\d{1,5}$/u.test(values.port) || Number(values.port) > 65_535)
    throw new Error(`--port must be a number from 0 to 65535\n\n${USAGE}`);
  return { port: Number(values.port), once: values.once };
}

const report = (what: string, result: string): void => {
  console.log(`  ok  ${what.padEnd(32)}${result}`);
};

const untilInterrupted = (): Promise<void> =>
  new Promise((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });

/** What was started, to be stopped in the reverse order, whatever happens. */
const running: (() => Promise<void>)[] = [];

async function start({ port, once }: Options): Promise<void> {
  console.log('Keystead: building the snap, then running its main job.\n');
  const { folder, shasum } = await buildSnap({ dev: true, ifStale: true });
  report('snap built', `${relative(process.cwd(), folder)}/  checksum ${shasum}`);

  const server = await serveSnap(folder, port);
  running.push(server.stop);
  report('snap served', server.url);

  const anvil = await startAnvil();
  running.push(anvil.stop);
  report('chain started', `${anvil.url}  (anvil, chain id 31337)`);

  const snap = await embedSnap(server.url);
  running.push(snap.stop);
  report('snap started', "in MetaMask's Snaps runtime, with a simulated wallet: do not use real funds");

  await runMainJob(snap, anvil.url, report);
  console.log('\nEverything was signed by the snap and verified by code that is not ours.');
  if (once) return;
  console.log(`\nThe snap is served for MetaMask Flask: install it as local:${server.url}\nCtrl-C ends.`);
  await untilInterrupted();
}

try {
  await start(readOptions());
} catch (error) {
  console.error(`\nKeystead did not start: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  for (const stop of running.reverse()) await stop();
}
process.exit();
