import { parseArgs } from 'node:util';

import { growth, soak, type Sample } from '../test/support/service/soak';

const USAGE = `npm run soak                              run 1,000,000 lookups and 50,000 adds against the service; its memory
npm run soak -- --lookups N --adds N      use other numbers (4 or more)`;

/** Maximum growth of resident memory during the last three quarters of a phase, MiB. */
const BOUND = { lookups: 32, adds: 64 } as const;

const { values } = parseArgs({
  options: {
    lookups: { type: 'string', default: '1000000' },
    adds: { type: 'string', default: '50000' },
    help: { type: 'boolean' },
  },
});
const counts = { lookups: Number(values.lookups), adds: Number(values.adds) };
if (values.help === true || Object.values(counts).some((count) => !Number.isSafeInteger(count) || count < 4)) {
  console.log(USAGE);
  process.exit(values.help === true ? 0 : 1);
}

const started = performance.now();
const mib = (value: number) => value.toFixed(0).padStart(5);
const show = ({ at, resident, heap, external }: Sample) => {
  const seconds = ((performance.now() - started) / 1000).toFixed(0).padStart(5);
  console.log(
    `${at.padEnd(20)} ${seconds} s  resident ${mib(resident)}  heap ${mib(heap)}  external ${mib(external)} MiB`,
  );
};
const { lookups, adds, wrong } = await soak({ ...counts, onSample: show });
const grown = { lookups: growth(lookups, 'resident'), adds: growth(adds, 'resident') };
console.log(`after the first quarter: lookups ${mib(grown.lookups)} MiB, adds ${mib(grown.adds)} MiB more resident`);
for (const each of wrong) console.error(`wrong: ${each}`);
process.exit(wrong.length > 0 || grown.lookups > BOUND.lookups || grown.adds > BOUND.adds ? 1 : 0);
