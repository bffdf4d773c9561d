import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { buildSnap } from '../scripts/build';
import { type Options, type Part, readOptions, USAGE } from './options';
import { endSteps } from './progress';
import { machine, publish, type Report } from './report/report';

/*
 * `npm run bench`: runs every measurement next to others. The packages to compare with are installed here, separately
 * from the product.
 */

const here = import.meta.dirname;

/** Installs this folder's own packages, unless they match its lock file already. */
function install(): void {
  const lock = readFileSync(join(here, 'package-lock.json'), 'utf8');
  const stamp = join(here, 'node_modules/.keystead-lock');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  console.log('Installing the packages to compare with …');
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: here, stdio: 'inherit' });
  if (status !== 0) throw new Error('bench/: npm ci failed');
  writeFileSync(stamp, lock);
}

const RUN: Readonly<Record<Part, (options: Options) => Promise<Report | undefined>>> = {
  snap: async (options) => (await import('./parts/snap')).benchSnaps(options),
  waterfall: async (options) => (await import('./parts/waterfall')).benchWaterfall(options),
  libraries: async (options) => (await import('./parts/libraries')).benchLibraries(options),
  operations: async (options) => (await import('./parts/operations')).benchOperations(options),
  state: async (options) => (await import('./parts/state')).benchState(options),
  service: async (options) => (await import('./parts/spawned')).benchService(options),
  abuse: async (options) => (await import('./service/abuse')).benchAbuse(options),
  storage: async (options) => (await import('./parts/spawned')).benchStorage(options),
};

const options = await readOptions(process.argv.slice(2)).catch((error: unknown) => {
  console.error(`${(error as Error).message}\n\n${USAGE}`);
  process.exit(1);
});
if (options === undefined) {
  console.log(USAGE);
  process.exit(0);
}
// Attacks are on the services alone.
if (options.parts.some((part) => part !== 'abuse')) {
  console.log('Building the snap if it is stale …');
  await buildSnap({ ifStale: true });
}
install();
for (const part of options.parts) {
  console.log(`\n=== ${part} ===`);
  const before = machine();
  const report = await RUN[part](options).finally(endSteps);
  if (report !== undefined) publish(part, report, before, !options.quick && options.attacks.length === 0);
}
