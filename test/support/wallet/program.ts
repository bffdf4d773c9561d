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

/** `src/snap/index.ts` bundled as CommonJS. Its packages are external and loaded once. */
function sourceText(): string {
  const { outputFiles } = buildSync({
    entryPoints: [join(root, 'src/snap/index.ts')],
    absWorkingDir: root,
    bundle: true,
    packages: 'external',
    format: 'cjs',
    platform: 'neutral',
    target: 'es2022',
    write: false,
    define: { 'process.env.KEYSTEAD_COMPANION_ORIGINS': JSON.stringify(JSON.stringify([COMPANION])) },
  });
  return outputFiles[0]!.text;
}

const TEXTS: Readonly<Record<ProgramName, () => string>> = {
  source: sourceText,
  built: () => readFileSync(join(root, 'dist/bundle.js'), 'utf8'),
};

/**
 * Turns a program into a function. Each call starts the snap with empty caches.
 *
 * Each start makes the program's function again. If hundreds of starts called the same one, V8 would optimize all of it
 * in the background, which takes longer than Jest waits for its worker to exit.
 */
function compile(name: ProgramName): Program {
  const script = new Script(`(function (module, exports, require, ${NAMES.join()}) {${TEXTS[name]()}\n})`);
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
