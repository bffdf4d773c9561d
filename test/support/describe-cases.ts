import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const CASES = /\.cases\.tsx?$/u;
const SUPPORT = /(?<= from ')(?:\.\.\/)+support\/[^']+(?=')/gu;

/**
 * Describes the tests of all `*.cases.ts` in a folder. A test file evaluates everything that it imports anew, which
 * takes longer than most tests: the small files of a folder share one evaluation, and what they start.
 *
 * What they import of `test/support` is imported first: its hooks end what any of the tests started. Imported within
 * the tests of one file, they would run for that file alone.
 *
 * @param folder - Searched with its subfolders.
 */
export function describeCases(folder: string): void {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => CASES.test(file))
    .sort()
    .map((file) => join(folder, file));
  for (const file of files)
    for (const [path] of readFileSync(file, 'utf8').matchAll(SUPPORT)) jest.requireActual(join(dirname(file), path));
  for (const file of files)
    describe(relative(folder, file).replace(CASES, ''), () => {
      jest.requireActual(file);
    });
}
