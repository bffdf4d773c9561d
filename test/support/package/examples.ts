import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { REPOSITORY } from './installed';

const FOLDERS = ['src/provider', 'src/testing'].map((folder) => join(REPOSITORY, folder));

/** @returns The code of every `@example` in the docstrings of the provider and of that for tests, each as a module. */
export const providerExamples = (): string[] =>
  FOLDERS.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/^ \* @example\n((?: \*(?!\/).*\n)+)/gmu)].map(
        ([, code = '']) => `${code.replace(/^ \* ?/gmu, '')}export {};\n`,
      ),
    );
