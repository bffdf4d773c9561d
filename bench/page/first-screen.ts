import { startChromium } from '../../test/helpers/chromium';

/**
 * Measures the first screen of the companion page in Chromium with an empty cache: `npm start`, and in another terminal
 * `npm run bench:page [-- URL]`.
 */
const url = process.argv[2] ?? 'http://localhost:8000/';
if (!/^https?:/u.test(url) || !URL.canParse(url)) {
  if (url !== '--help') console.error(`${url}: not the HTTP address of a page\n`);
  console.error(
    'npm run bench:page             measure the first screen of http://localhost:8000/, as served by npm start',
  );
  console.error('npm run bench:page -- URL      measure another page');
  process.exit(url === '--help' ? 0 : 1);
}
await fetch(url).catch(() => {
  console.error(`${url} does not answer: run npm start first.`);
  process.exit(1);
});
const ROUNDS = 9;

type Timing = { readonly paint: number; readonly usable: number };

const browser = await startChromium();
const rounds: Timing[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const started = performance.now();
  await page.goto(url, { waitUntil: 'commit' });
  await page.getByRole('button', { name: 'Use the simulated wallet' }).and(page.locator(':enabled')).waitFor();
  const usable = performance.now() - started;
  const paint = (await page.evaluate(
    "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN",
  )) as number;
  rounds.push({ paint, usable });
  await context.close();
}
await browser.close();

function report(name: string, values: readonly number[]): void {
  const sorted = [...values].sort((a, b) => a - b);
  const [least, median, most] = [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)].map((value) =>
    Math.round(value ?? Number.NaN),
  );
  console.log(`${name.padEnd(24)} median ${median} ms, least ${least} ms, most ${most} ms, of ${values.length}`);
}
report(
  'first contentful paint',
  rounds.map(({ paint }) => paint),
);
report(
  'the wallet can be used',
  rounds.map(({ usable }) => usable),
);
