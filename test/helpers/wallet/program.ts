import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { compileFunction } from 'node:vm';

import { buildSync } from 'esbuild';

import { speakers, speechless, writeTexts } from '../../../scripts/texts';
import type * as Snap from '../../../src/index';
import { FILE_OF_TEXTS } from '../../../src/platform/texts';

const root = join(__dirname, '../../..');

/** What a snap finds around it. Each started snap gets its own. */
export type Surroundings = {
  readonly snap: { readonly request: (request: { method: string; params?: unknown }) => Promise<unknown> };
  readonly ethereum: { readonly request: (request: { method: string; params?: unknown }) => Promise<unknown> };
  readonly fetch: typeof fetch;
  readonly Date: typeof Date;
  readonly setTimeout: (run: () => void, delay: number) => unknown;
  readonly clearTimeout: (timer: unknown) => void;
};

const NAMES = ['snap', 'ethereum', 'fetch', 'Date', 'setTimeout', 'clearTimeout'] as const;

/** The companion page that the program lets in. */
export const COMPANION = 'http://localhost:8000';

type Program = { readonly start: (surroundings: Surroundings) => typeof Snap; readonly texts: string };

/** The source as the snap is built from it: what people read is in a file. @returns The folder of both. */
function sourceWithoutTexts(): string {
  const folder = mkdtempSync(join(tmpdir(), 'keystead-program-'));
  writeTexts(folder);
  cpSync(join(root, 'src'), join(folder, 'src'), { recursive: true });
  for (const path of speakers())
    writeFileSync(join(folder, relative(root, path)), speechless(path, readFileSync(path, 'utf8'), folder));
  return folder;
}

/**
 * The snap's program, whole, from `src/index.ts`, made into a function: each call of it is a start of the snap,
 * with nothing in memory. The packages it uses are loaded once.
 */
function compile(): Program {
  const folder = sourceWithoutTexts();
  const { outputFiles } = buildSync({
    entryPoints: [join(folder, 'src/index.ts')],
    absWorkingDir: folder,
    tsconfig: join(root, 'tsconfig.json'),
    bundle: true,
    packages: 'external',
    format: 'cjs',
    platform: 'neutral',
    target: 'es2022',
    write: false,
    define: { 'process.env.KEYSTEAD_COMPANION_ORIGINS': JSON.stringify(JSON.stringify([COMPANION])) },
  });
  const program = compileFunction(outputFiles[0]!.text, ['module', 'exports', 'require', ...NAMES]);
  const loaded = new Map<string, unknown>();
  const load = (name: string): unknown => {
    if (!loaded.has(name)) loaded.set(name, jest.requireActual(name));
    return loaded.get(name);
  };
  const start = (surroundings: Surroundings): typeof Snap => {
    const module = { exports: {} as typeof Snap };
    program(module, module.exports, load, ...NAMES.map((name) => surroundings[name]));
    return module.exports;
  };
  return { start, texts: readFileSync(join(folder, FILE_OF_TEXTS), 'utf8') };
}

let compiled: Program | undefined;
const theProgram = (): Program => (compiled ??= compile());

/** Starts the snap. */
export const startProgram = (surroundings: Surroundings): typeof Snap => theProgram().start(surroundings);

/** The file of the texts that the started snap says. */
export const textsOfProgram = (): string => theProgram().texts;
