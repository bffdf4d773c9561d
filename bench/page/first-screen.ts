import { startChromium } from '../../test/support/chromium';

/**
 * Measures the first screen of the companion page in Chromium with an empty cache: `npm start`, and in another terminal
 * `npm run bench:page [-- URL …]`. Several pages, such as an older build, take turns.
 */
const urls = process.argv.length > 2 ? process.argv.slice(2) : ['http://localhost:8000/'];
const wrong = urls.find((url) => !/^https?:/u.test(url) || !URL.canParse(url));
if (wrong !== undefined) {
  if (wrong !== '--help') console.error(`${wrong}: not the HTTP address of a page\n`);
  console.error(
    'npm run bench:page             measure the first screen of http://localhost:8000/, as served by npm start',
  );
  console.error('npm run bench:page -- URL …    measure other pages, and compare them with the first of them');
  process.exit(wrong === '--help' ? 0 : 1);
}
for (const url of urls)
  await fetch(url).catch(() => {
    console.error(`${url} does not answer: run npm start first.`);
    process.exit(1);
  });
const ROUNDS = 25;

type Timing = { readonly paint: number; readonly usable: number };

const browser = await startChromium();

async function measure(url: string): Promise<Timing> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const started = performance.now();
  await page.goto(url, { waitUntil: 'commit' });
  await page.getByRole('button', { name: 'Use the simulated wallet' }).and(page.locator(':enabled')).waitFor();
  const usable = performance.now() - started;
  const paint = (await page.evaluate(
    "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN",
  )) as number;
  await context.close();
  return { paint, usable };
}

const measured = urls.map((url) => ({ url, rounds: [] as Timing[] }));
for (let round = 0; round < ROUNDS; round += 1)
  for (const { url, rounds } of round % 2 === 0 ? measured : [...measured].reverse()) rounds.push(await measure(url));
await browser.close();

const sorted = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);
const medianOf = (values: readonly number[]): number => sorted(values)[Math.floor(values.length / 2)] ?? Number.NaN;

for (const { url, rounds } of measured) {
  console.log(url);
  for (const [name, of] of [
    ['first contentful paint', ({ paint }: Timing) => paint],
    ['the wallet can be used', ({ usable }: Timing) => usable],
  ] as const) {
    const values = rounds.map(of);
    const [least, median, most] = [sorted(values)[0], medianOf(values), sorted(values).at(-1)].map((value) =>
      Math.round(value ?? Number.NaN),
    );
    const first = medianOf(measured[0]?.rounds.map(of) ?? []);
    const ratio = urls.length > 1 ? `, ${(medianOf(values) / first).toFixed(2)} of the first page's` : '';
    console.log(
      `  ${name.padEnd(24)} median ${median} ms${ratio}; least ${least} ms, most ${most} ms, of ${rounds.length}`,
    );
  }
}
