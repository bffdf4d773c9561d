import { mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { buildSync } from 'esbuild';

/** Jest and npm both start in the root of the repository. */
const ROOT = process.cwd();

/**
 * Makes a program of this repository one file, as the package ships it: it starts in a third of the time that it takes
 * from its source, and no loader counts into its memory.
 *
 * @param entry - The program's source, relative to the root of the repository.
 * @param folder - Where to put the file, and a link to the packages that it leaves out. A test file's own folder for
 * temporary files if left out, which goes with the test file.
 * @returns The file.
 */
export function bundled(entry: string, folder = mkdtempSync(join(tmpdir(), 'keystead-program-'))): string {
  const outfile = join(folder, `${basename(entry, '.ts')}.mjs`);
  buildSync({
    entryPoints: [join(ROOT, entry)],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    target: 'node20',
    format: 'esm',
    logLevel: 'error',
  });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return outfile;
}
