import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { generateDtsBundle } from 'dts-bundle-generator';
import { build } from 'esbuild';

import { fingerprint } from './fingerprint';
import { ENTRIES, LIBRARY_BUNDLE } from './library-bundle';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const folder = join(root, 'dist-lib');

/** A file in the output with the fingerprint of its inputs. */
const STAMP = join(folder, '.inputs');

/** What the library is built from, without what it never imports. */
const inputs = (): string =>
  fingerprint(root, {
    from: [
      'src',
      'package-lock.json',
      'tsconfig.json',
      'tsconfig.lib.json',
      'scripts/build-library.ts',
      'scripts/library-bundle.ts',
    ],
    without: ['src/companion', 'src/devnet', 'src/service', 'src/simulated-wallet', 'src/snap'],
  });

/** An import without bindings, kept for its side effects; our modules have none (`sideEffects`). */
const BARE_IMPORT = /^import "[^"]+";\n/gmu;

/** Builds the published library into `dist-lib/`: ES modules without dependencies, and their types. */
async function buildLibrary(): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const { outputFiles } = await build({
    absWorkingDir: root,
    ...LIBRARY_BUNDLE,
    logLevel: 'warning',
    write: false,
  });
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    // A bundler would warn about each of them in a project that uses the package from its folder.
    writeFileSync(path, text.replace(BARE_IMPORT, ''));
  }
  const types = generateDtsBundle(
    Object.values(ENTRIES).map((entry) => ({ filePath: join(root, entry), output: { noBanner: true } })),
    { preferredConfigPath: join(root, 'tsconfig.lib.json') },
  );
  for (const [index, name] of Object.keys(ENTRIES).entries())
    writeFileSync(join(folder, `${name}.d.ts`), types[index] as string);
}

const made = inputs();
const isFresh = existsSync(STAMP) && readFileSync(STAMP, 'utf8') === made;
if (!(isFresh && process.argv.includes('--if-stale'))) {
  await buildLibrary();
  writeFileSync(STAMP, made);
}
console.log('dist-lib/  keystead/provider, keystead/clients, keystead/testing');
