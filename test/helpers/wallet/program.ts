import { join } from 'node:path';
import { compileFunction } from 'node:vm';

import { buildSync } from 'esbuild';

import type * as Snap from '../../../src/index';

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

type Program = (surroundings: Surroundings) => typeof Snap;

/**
 * The snap's program, whole, from `src/index.ts`, made into a function: each call of it is a start of the snap,
 * with nothing in memory. The packages it uses are loaded once.
 */
function compile(): Program {
  const { outputFiles } = buildSync({
    entryPoints: [join(root, 'src/index.ts')],
    absWorkingDir: root,
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
  return (surroundings) => {
    const module = { exports: {} as typeof Snap };
    program(module, module.exports, load, ...NAMES.map((name) => surroundings[name]));
    return module.exports;
  };
}

let compiled: Program | undefined;
const theProgram = (): Program => (compiled ??= compile());

/** Starts the snap. */
export const startProgram = (surroundings: Surroundings): typeof Snap => theProgram()(surroundings);
