import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import { BENCHMARK_FIGURES } from './benchmark-figures';
import { type Figure, sentence, staleIn } from './figure';
import { pageWeight } from './page-weight';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

const bytes = (path: string): number => statSync(join(root, path)).size;
const gzipped = (path: string): number => gzipSync(readFileSync(join(root, path)), { level: 9 }).length;
const kB = (size: number): string => String(Math.round(size / 1000));
/** The aim for the snap's bundle, in bytes with gzip. */
const AIM = 130_000;

const grouped = (count: number): string => count.toLocaleString('en-US');

/** The sizes of the files with descriptors and names, in bytes, ascending. */
const metadataSizes = (): number[] =>
  readdirSync(join(root, 'dist/contract-metadata'))
    .filter((name) => /^[\da-f]\.json$/u.test(name))
    .map((name) => bytes(`dist/contract-metadata/${name}`))
    .sort((a, b) => a - b);

const nodeVersion = (): string => {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { engines: { node: string } };
  return engines.node.replace('>=', '').replace(/\.0$/u, '');
};

export const FIGURES: readonly Figure[] = [
  {
    file: 'docs/performance.md',
    sentence: sentence('bundle has # bytes, # with gzip; that of Keystead Insights #, # with gzip'),
    now: () =>
      ['dist', 'dist-insights'].flatMap((folder) => [
        grouped(bytes(`${folder}/bundle.js`)),
        grouped(gzipped(`${folder}/bundle.js`)),
      ]),
  },
  {
    file: 'docs/performance.md',
    sentence: sentence('The aim is missed by # bytes with gzip, which is about # of its # bytes without.'),
    now: () => {
      const [raw, gzip] = [bytes('dist/bundle.js'), gzipped('dist/bundle.js')];
      const above = gzip - AIM;
      return [above, (above / gzip) * raw, raw].map((size) => grouped(Math.round(size / 1000) * 1000));
    },
  },
  {
    file: 'docs/companion-page.md',
    sentence: sentence('the first screen is # kB (gzip) with the simulated wallet'),
    now: () => [kB(pageWeight().first)],
  },
  {
    file: 'docs/companion-page.md',
    sentence: sentence(
      "loaded when they are shown, # kB with all of them. The execution environment is MetaMask's (# kB",
    ),
    now: () => [kB(pageWeight().all), kB(pageWeight().executor)],
  },
  {
    file: 'docs/descriptors.md',
    sentence: sentence('selector or type hash (# to # kB each, # kB together)'),
    now: () => {
      const sizes = metadataSizes();
      return [kB(sizes[0]!), kB(sizes.at(-1)!), kB(sizes.reduce((sum, size) => sum + size, 0))];
    },
  },
  {
    file: 'docs/descriptors.md',
    sentence: sentence('`contract-metadata/tokens.json` holds the tokens (# kB)'),
    now: () => [kB(bytes('dist/contract-metadata/tokens.json'))],
  },
  ...['README.md', 'CONTRIBUTING.md', 'packages/keystead-service/README.md', 'docs/service.md'].map((file) => ({
    file,
    sentence: /Node(?:\.js)?\s+(\d+\.\d+)\s+or\s+(?:newer|later)/u,
    now: () => [nodeVersion()],
  })),
  ...BENCHMARK_FIGURES,
];

/** @returns One sentence for each figure of the docs that is not what a build or a table of the benchmark says. */
export const staleFigures = (): string[] =>
  FIGURES.flatMap((figure) => {
    const stale = staleIn(readFileSync(join(root, figure.file), 'utf8'), figure);
    return stale === undefined ? [] : [stale.problem];
  });

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const figure of FIGURES) {
    const path = join(root, figure.file);
    const stale = staleIn(readFileSync(path, 'utf8'), figure);
    if (stale !== undefined) writeFileSync(path, stale.corrected);
    console.log(stale?.problem ?? `${figure.file}: ${figure.now().join(', ')}`);
  }
}
