import { buildSnap } from '../scripts/build';
import { type Options, type Part, readOptions, USAGE } from './options';
import { endSteps } from './progress';
import { machine, publish, type Report } from './report';

const RUN: Readonly<Record<Part, (options: Options) => Promise<Report | undefined>>> = {
  snap: async (options) => {
    console.log('Building the snap if it is stale …');
    await buildSnap({ ifStale: true });
    return (await import('./snap/run')).benchSnaps(options);
  },
  service: async (options) => (await import('./service/separate')).benchService(options),
  abuse: async (options) => (await import('./service/abuse')).benchAbuse(options),
};

const options = await readOptions(process.argv.slice(2)).catch((error: unknown) => {
  console.error(`${(error as Error).message}\n\n${USAGE}`);
  process.exit(1);
});
if (options === undefined) {
  console.log(USAGE);
  process.exit(0);
}
for (const part of options.parts) {
  console.log(`\n=== ${part} ===`);
  const before = machine();
  const report = await RUN[part](options).finally(endSteps);
  if (report !== undefined) publish(part, report, before, !options.quick && options.attacks.length === 0);
}
