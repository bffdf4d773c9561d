import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import { build } from 'esbuild';

import { fingerprint, type Inputs } from './fingerprint';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const folder = join(root, 'dist-page');

/** The inputs of the page, without what it never imports. */
const INPUTS: Inputs = {
  from: ['src', 'images/icon.svg', 'package-lock.json', 'scripts/build-page.ts', 'scripts/fingerprint.ts'],
  without: ['src/devnet', 'src/service'],
};

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
  const stamp = join(folder, '.inputs');
  const inputs = fingerprint(root, INPUTS);
  if (ifStale && existsSync(stamp) && readFileSync(stamp, 'utf8') === inputs) return { folder };

  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await build({
    entryPoints: {
      page: join(root, 'src/companion/main.tsx'),
      wallet: join(root, 'src/simulated-wallet/index.ts'),
    },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    outdir: folder,
    loader: { '.css': 'text' },
    // Without `verbatimModuleSyntax`: a type-only import must not bundle the package.
    tsconfigRaw: { compilerOptions: { jsx: 'react-jsx', jsxImportSource: 'preact' } },
    legalComments: 'none',
    logLevel: 'warning',
  });
  await build({
    entryPoints: [join(root, 'src/companion/page.css')],
    minify: true,
    outdir: folder,
    logLevel: 'warning',
  });
  cpSync(join(root, 'src/companion/index.html'), join(folder, 'index.html'));
  cpSync(join(root, 'images/icon.svg'), join(folder, 'icon.svg'));
  cpSync(executorFolder(), join(folder, 'executor'), { recursive: true });
  writeFileSync(stamp, inputs);
  return { folder };
}

/**
 * @returns Gzipped bytes of what a visit of the page loads, and of the execution environment that it loads with a snap.
 */
export function pageWeight(): { page: number; executor: number } {
  const sum = (names: readonly string[]): number =>
    names.reduce((bytes, name) => bytes + gzipSync(readFileSync(join(folder, name)), { level: 9 }).length, 0);
  return {
    page: sum(['index.html', 'page.js', 'wallet.js', 'page.css', 'icon.svg']),
    executor: sum(['executor/index.html', 'executor/bundle.js']),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildPage({ ifStale: process.argv.includes('--if-stale') });
  const { page, executor } = pageWeight();
  console.log(`dist-page/  page ${page} bytes gzip, execution environment ${executor} bytes gzip`);
}
