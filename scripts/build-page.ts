import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build, type BuildOptions, type Metafile } from 'esbuild';

import { fingerprint, type Inputs } from './fingerprint';
import { FIRST_SCREEN, PAGE_FOLDER, pageWeight } from './page-weight';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** The inputs of the page, without what it never imports. */
const INPUTS: Inputs = {
  from: ['src', 'images/icon.svg', 'package-lock.json', 'scripts/build-page.ts', 'scripts/fingerprint.ts'],
  without: ['src/devnet', 'src/service'],
};

const OPTIONS = {
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  outdir: PAGE_FOLDER,
  loader: { '.css': 'text' },
  // Without `verbatimModuleSyntax`: a type-only import must not bundle the package.
  tsconfigRaw: { compilerOptions: { jsx: 'react-jsx', jsxImportSource: 'preact' } },
  legalComments: 'none',
  logLevel: 'warning',
} satisfies BuildOptions;

/** @returns The names of the files that a script imports without being asked, and its own. */
function importedAtOnce({ outputs }: Metafile, name: string): string[] {
  const found = new Set<string>();
  const follow = (output: string): void => {
    if (found.has(output)) return;
    found.add(output);
    for (const { path, kind } of outputs[output]?.imports ?? []) if (kind === 'import-statement') follow(path);
  };
  Object.keys(outputs)
    .filter((output) => basename(output) === name)
    .forEach(follow);
  return [...found].map((output) => basename(output));
}

/** MetaMask's published iframe execution environment for snaps. */
function executorFolder(): string {
  const require = createRequire(join(root, 'package.json'));
  const program = require.resolve('@metamask/snaps-execution-environments/node-thread');
  return join(dirname(program), '../iframe');
}

/**
 * Builds the companion page, the simulated wallet and the execution environment: static files, no server code.
 *
 * @param options - `ifStale`: do nothing if the output was built from the same inputs.
 * @returns The folder of the files.
 */
export async function buildPage({ ifStale = false } = {}): Promise<{ folder: string }> {
  const stamp = join(PAGE_FOLDER, '.inputs');
  const inputs = fingerprint(root, INPUTS);
  if (ifStale && existsSync(stamp) && readFileSync(stamp, 'utf8') === inputs) return { folder: PAGE_FOLDER };

  rmSync(PAGE_FOLDER, { recursive: true, force: true });
  mkdirSync(PAGE_FOLDER, { recursive: true });
  // The page loads the code of its views when they are shown.
  const { metafile } = await build({
    ...OPTIONS,
    entryPoints: { page: join(root, 'src/companion/main.tsx') },
    splitting: true,
    chunkNames: 'page-[hash]',
    metafile: true,
  });
  // One file, because pages of other origins load it too.
  await build({ ...OPTIONS, entryPoints: { wallet: join(root, 'src/simulated-wallet/index.ts') } });
  await build({
    entryPoints: [join(root, 'src/companion/page.css')],
    minify: true,
    outdir: PAGE_FOLDER,
    logLevel: 'warning',
  });
  cpSync(join(root, 'src/companion/index.html'), join(PAGE_FOLDER, 'index.html'));
  cpSync(join(root, 'images/icon.svg'), join(PAGE_FOLDER, 'icon.svg'));
  cpSync(executorFolder(), join(PAGE_FOLDER, 'executor'), { recursive: true });
  writeFileSync(FIRST_SCREEN, importedAtOnce(metafile, 'page.js').join('\n'));
  writeFileSync(stamp, inputs);
  return { folder: PAGE_FOLDER };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildPage({ ifStale: process.argv.includes('--if-stale') });
  const { first, all, executor } = pageWeight();
  console.log(`dist-page/  first screen ${first} bytes gzip, all views ${all}, execution environment ${executor}`);
}
