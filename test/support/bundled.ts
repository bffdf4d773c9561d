import { mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { buildSync } from 'esbuild';

import { SERVICE_BUNDLE } from '../../scripts/service-bundle';

/** Jest and npm both start in the root of the repository. */
const ROOT = process.cwd();

/**
 * Bundles a program of this repository into one file, as the package ships it. It starts ten times as fast as from
 * source, without the memory of a loader.
 *
 * @param entry - The program's source, relative to the root of the repository.
 * @param folder - The folder for the file and a link to its external package. Default: a temporary folder that is
 * deleted after the test file.
 * @returns The file.
 */
export function bundled(entry: string, folder = mkdtempSync(join(tmpdir(), 'keystead-program-'))): string {
  const outfile = join(folder, `${basename(entry, '.ts')}.mjs`);
  buildSync({
    entryPoints: [join(ROOT, entry)],
    outfile,
    ...SERVICE_BUNDLE,
    external: [...SERVICE_BUNDLE.external],
    logLevel: 'error',
  });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return outfile;
}
