import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { REPOSITORY } from './installed';

const FOLDER = join(REPOSITORY, 'src/provider');

/** @returns The code of every `@example` in the docstrings of the provider, each as a module. */
export const providerExamples = (): string[] =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) =>
      [...readFileSync(join(FOLDER, name), 'utf8').matchAll(/^ \* @example\n((?: \*(?!\/).*\n)+)/gmu)].map(
        ([, code = '']) => `${code.replace(/^ \* ?/gmu, '')}export {};\n`,
      ),
    );
