import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

const CASES = /\.cases\.tsx?$/u;

/**
 * Describes the tests of all `*.cases.ts` in a folder. A test file evaluates everything that it imports anew, which
 * takes longer than most tests: the small files of a folder share one evaluation, and what they start.
 *
 * @param folder - Searched with its subfolders.
 */
export function describeCases(folder: string): void {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => CASES.test(file));
  for (const file of files.sort())
    describe(relative('', file).replace(CASES, ''), () => {
      jest.requireActual(join(folder, file));
    });
}
