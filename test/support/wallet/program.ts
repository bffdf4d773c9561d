import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';

import { buildSync } from 'esbuild';

import type * as Snap from '../../../src/snap/index';

const root = join(__dirname, '../../..');

/** The globals of a snap. Each started snap gets its own. */
export type Surroundings = {
  readonly snap: { readonly request: (request: { method: string; params?: unknown }) => Promise<unknown> };
  readonly ethereum: { readonly request: (request: { method: string; params?: unknown }) => Promise<unknown> };
  readonly fetch: typeof fetch;
  readonly Date: typeof Date;
  readonly setTimeout: (run: () => void, delay: number) => unknown;
  readonly clearTimeout: (timer: unknown) => void;
};

const NAMES = ['snap', 'ethereum', 'fetch', 'Date', 'setTimeout', 'clearTimeout'] as const;

/** The companion page that the program from `src` allows. The production build allows none. */
export const COMPANION = 'http://localhost:8000';

/** The program: compiled from `src/snap/index.ts`, or the bundle that `npm run build` writes to `dist/`. */
export type ProgramName = 'source' | 'built';

type Program = (surroundings: Surroundings) => typeof Snap;

/** The name by which V8 knows the program from `src`. */
export const SOURCE_SCRIPT = 'snap-from-source.js';

/** `src/snap/index.ts` bundled as CommonJS, and its source map. Its packages are external and loaded once. */
export function bundledSource(): { readonly text: string; readonly map: string } {
  const { outputFiles } = buildSync({
    entryPoints: [join(root, 'src/snap/index.ts')],
    absWorkingDir: root,
    bundle: true,
    packages: 'external',
    format: 'cjs',
    platform: 'neutral',
    target: 'es2022',
    write: false,
    outfile: join(root, SOURCE_SCRIPT),
    sourcemap: 'external',
    define: { 'process.env.KEYSTEAD_COMPANION_ORIGINS': JSON.stringify(JSON.stringify([COMPANION])) },
  });
  const [map, text] = outputFiles;
  return { text: text!.text, map: map!.text };
}

const TEXTS: Readonly<Record<ProgramName, () => string>> = {
  source: () => bundledSource().text,
  built: () => readFileSync(join(root, 'dist/bundle.js'), 'utf8'),
};

/** What stands before the text of a program. */
export const PROGRAM_HEAD = `(function (module, exports, require, ${NAMES.join()}) {`;

/**
 * Turns a program into a function. Each call starts the snap with empty caches.
 *
 * Each start makes the program's function again. If hundreds of starts called the same one, V8 would optimize all of it
 * in the background, which takes longer than Jest waits for its worker to exit.
 */
function compile(name: ProgramName): Program {
  const script = new Script(`${PROGRAM_HEAD}${TEXTS[name]()}\n})`, {
    filename: name === 'source' ? SOURCE_SCRIPT : 'dist/bundle.js',
  });
  const loaded = new Map<string, unknown>();
  const load = (id: string): unknown => {
    if (!loaded.has(id)) loaded.set(id, jest.requireActual(id));
    return loaded.get(id);
  };
  return (surroundings) => {
    const module = { exports: {} as typeof Snap };
    const program = script.runInThisContext() as (...parts: unknown[]) => void;
    program(module, module.exports, load, ...NAMES.map((id) => surroundings[id]));
    return module.exports;
  };
}

const compiled = new Map<ProgramName, Program>();

/** Starts the snap. */
export function startProgram(surroundings: Surroundings, name: ProgramName): typeof Snap {
  const program = compiled.get(name) ?? compile(name);
  compiled.set(name, program);
  return program(surroundings);
}
