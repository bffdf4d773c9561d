import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import ts from 'typescript';

/**
 * Makes random changes of one operator each in `src/core`, or in a folder of it, and looks whether a test sees them:
 * `tsx scripts/mutants.ts [--under decode/rules] [--count 200] [--seed 1] [--least 90] [--jobs 2]`. Prints those that
 * no test saw, and ends with an error if fewer than `--least` percent were seen. A change that no test can see, such as
 * `<=` for `<` at a bound that is never reached, counts as not seen.
 *
 * All changes are written into one copy of the sources, each switched off. The tests run once to find which of them
 * reach which change. Then each change is switched on in turn, and the tests that reach it run until one fails. That
 * counts only if the test passes again without the change. A change that is reached while test files are loaded may
 * have done its work by then: if it was not seen, all tests run once more with it switched on from the start.
 */

const { values } = parseArgs({
  options: {
    under: { type: 'string', default: '' },
    count: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    least: { type: 'string', default: '90' },
    jobs: { type: 'string', default: '2' },
  },
});
const [count, seed, least, jobs] = [
  Number(values.count),
  Number(values.seed),
  Number(values.least),
  Number(values.jobs),
];

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const CHANGED = join(ROOT, 'src/core', values.under);
/** The quickest first: the others need not look at what it sees. */
const TESTS = [
  'test/unit/core.test.ts',
  'test/hostile/hostile.test.ts',
  'test/vectors/account-methods.test.ts',
  'test/vectors/wycheproof.test.ts',
  'test/property/property.test.ts',
];
/** A run that begins no test for so long, in milliseconds, is in a loop that no longer ends. */
const STUCK = 900_000;

/** What an operator is changed to. */
const INSTEAD = new Map<ts.SyntaxKind, string>([
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [ts.SyntaxKind.LessThanToken, '<='],
  [ts.SyntaxKind.LessThanEqualsToken, '<'],
  [ts.SyntaxKind.GreaterThanToken, '>='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '>'],
  [ts.SyntaxKind.AmpersandAmpersandToken, '||'],
  [ts.SyntaxKind.BarBarToken, '&&'],
  [ts.SyntaxKind.PlusToken, '-'],
  [ts.SyntaxKind.MinusToken, '+'],
  [ts.SyntaxKind.AsteriskToken, '/'],
]);

/** A change of one operator, with what stands in its place when it is on. */
type Mutant = {
  readonly id: number;
  readonly file: string;
  readonly line: number;
  readonly was: string;
  readonly now: string;
};
/** A place where an operator can be changed. */
type Place = Omit<Mutant, 'id'> & { readonly node: ts.Node };

type Changes = ReadonlyMap<ts.Node, Mutant>;
/** The tests that reach each change, by their place in the test file. */
type Met = readonly (readonly [id: number, tests: readonly number[]])[];

/** What `mutants-environment.mjs` does while Jest runs a test file. */
type Task =
  | { readonly kind: 'record' }
  | { readonly kind: 'judge'; readonly changes: Met }
  | { readonly kind: 'whole'; readonly active: number };
/** What it reports. Every test adds an empty line, as a sign of life. */
type Line = {
  readonly met?: Met;
  readonly metAtLoad?: readonly number[];
  /** The change that is on. */
  readonly id?: number;
  readonly judged?: {
    /** The test that saw the change. */
    readonly by?: string;
    /** Whether all tests that reach it could be used. */
    readonly isSure: boolean;
  };
};

/** @returns Whether `+` adds texts here, where `-` would not even be a number. */
const addsText = ({ left, right }: ts.BinaryExpression): boolean =>
  [left, right].some((side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side));

function placesOf(file: string): Place[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: Place[] = [];
  const add = (node: ts.Node, at: ts.Node, was: string, now: string): void => {
    const { line } = source.getLineAndCharacterOfPosition(at.getStart(source));
    found.push({ node, file: relative(ROOT, file), line: line + 1, was, now });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node)) return;
    if (ts.isBinaryExpression(node)) {
      const instead = INSTEAD.get(node.operatorToken.kind);
      if (instead !== undefined && !addsText(node))
        add(node, node.operatorToken, node.operatorToken.getText(source), instead);
    }
    if (ts.isConditionalExpression(node)) {
      const [yes, no] = [node.whenTrue.getText(source), node.whenFalse.getText(source)];
      add(node, node.whenTrue, `${yes} : ${no}`, `${no} : ${yes}`);
    }
    if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
      add(node, node, '!', '(nothing)');
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** @returns The text of a node with changes in it, each of which has an effect while it is on. */
function withChanges(node: ts.Node, changes: Changes): string {
  const source = node.getSourceFile();
  const text = (inner: ts.Node): string => withChanges(inner, changes);
  const change = changes.get(node);
  const isOn = `globalThis.keysteadMutant?.(${change?.id})`;
  if (change !== undefined && ts.isBinaryExpression(node)) {
    const [left, right] = [text(node.left), text(node.right)];
    return `(${isOn} ? (${left}) ${change.now} (${right}) : (${left}) ${change.was} (${right}))`;
  }
  if (change !== undefined && ts.isConditionalExpression(node)) {
    const [yes, no] = [text(node.whenTrue), text(node.whenFalse)];
    return `((${isOn} ?? false) === !(${text(node.condition)}) ? ${yes} : ${no})`;
  }
  if (change !== undefined && ts.isPrefixUnaryExpression(node)) {
    const operand = text(node.operand);
    return `(${isOn} ? (${operand}) : !(${operand}))`;
  }
  const parts: string[] = [];
  let at = node.getStart(source);
  ts.forEachChild(node, (child) => {
    parts.push(source.text.slice(at, child.getStart(source)), text(child));
    at = child.getEnd();
  });
  return parts.join('') + source.text.slice(at, node.getEnd());
}

/** Numbers from 0 to below 1 that follow from a seed (mulberry32). */
function randomFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function sample(all: readonly Place[]): Place[] {
  const random = randomFrom(seed);
  const left = [...all];
  return Array.from({ length: Math.min(count, left.length) }, () =>
    left.splice(Math.floor(random() * left.length), 1),
  ).flat();
}

/** A copy of what the tests need, whose sources contain the changes. */
function copy(changes: Changes): string {
  const folder = mkdtempSync(join(tmpdir(), 'keystead-mutants-'));
  const skipped = new Set(['.git', 'release', 'coverage', 'dist-docs']);
  for (const name of readdirSync(ROOT)) {
    if (skipped.has(name)) continue;
    if (name === 'src' || name === 'test') {
      const isOurs = (path: string): boolean => !path.includes('node_modules');
      cpSync(join(ROOT, name), join(folder, name), { recursive: true, filter: isOurs });
    } else symlinkSync(join(ROOT, name), join(folder, name));
  }
  const sources = new Set([...changes.keys()].map((node) => node.getSourceFile()));
  for (const source of sources)
    writeFileSync(join(folder, relative(ROOT, source.fileName)), withChanges(source, changes));
  return folder;
}

/** A run of a test file in Jest. */
type Run = {
  readonly passed: boolean;
  readonly lines: readonly Line[];
  readonly log: string;
};

let runs = 0;

async function runTests(folder: string, file: string, task: Task): Promise<Run> {
  runs += 1;
  const [question, report] = [join(folder, `task-${runs}.json`), join(folder, `report-${runs}.jsonl`)];
  writeFileSync(report, '');
  writeFileSync(question, JSON.stringify({ ...task, report }));
  const environment = join(ROOT, 'scripts/mutants-environment.mjs');
  const args = [
    'node_modules/jest/bin/jest.js',
    file,
    '--env',
    environment,
    '--runInBand',
    '--coverage=false',
    '--silent',
  ];
  const env = { ...process.env, KEYSTEAD_MUTANTS: question };
  const jest = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  jest.stderr.on('data', (data: Buffer) => {
    log += data.toString();
  });
  const watch = setInterval(() => {
    if (Date.now() - statSync(report).mtimeMs >= STUCK) jest.kill('SIGKILL');
  }, 1000);
  const code = await new Promise((done) => jest.on('close', done));
  clearInterval(watch);
  const lines = readFileSync(report, 'utf8').split('\n').filter(Boolean);
  return { passed: code === 0, lines: lines.map((line) => JSON.parse(line) as Line), log };
}

/** Runs some tasks, `jobs` at a time. */
async function each<One>(all: readonly One[], run: (one: One) => Promise<void>): Promise<void> {
  const waiting = [...all];
  const work = async (): Promise<void> => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) await run(one);
  };
  await Promise.all(Array.from({ length: jobs }, work));
}

/** @returns Which changes the tests of a file saw, and which must be on from the start of a run to be sure. */
async function judge(folder: string, file: string, changes: Met): Promise<{ seen: number[]; unsure: number[] }> {
  const [seen, unsure]: [number[], number[]] = [[], []];
  for (let left = changes; left.length > 0;) {
    const { lines, log } = await runTests(folder, file, { kind: 'judge', changes: left });
    const begun = lines.filter(({ id }) => id !== undefined);
    if (begun.length === 0) throw new Error(`${file}: no change could be judged:\n${log}`);
    for (const { id, judged } of begun) {
      if (judged?.by !== undefined) seen.push(id!);
      else if (judged?.isSure === false) unsure.push(id!);
    }
    const done = new Set(begun.map(({ id }) => id));
    const last = begun.at(-1)!;
    // A loop that no longer ends is seen, too.
    if (last.judged === undefined) seen.push(last.id!);
    left = left.filter(([id]) => !done.has(id));
  }
  return { seen, unsure };
}

async function main(): Promise<void> {
  const files = readdirSync(CHANGED, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(CHANGED, name));
  const all = files.flatMap(placesOf);
  const changes: Changes = new Map(sample(all).map(({ node, ...place }, id) => [node, { id, ...place }]));
  console.log(`${changes.size} of ${all.length} changes of one operator, seed ${seed}`);
  const unseen = new Map([...changes.values()].map((mutant) => [mutant.id, mutant]));
  const folder = copy(changes);
  try {
    for (const file of TESTS) {
      const { passed, lines, log } = await runTests(folder, file, { kind: 'record' });
      const { met, metAtLoad = [] } = lines.find((line) => line.met !== undefined) ?? {};
      // Tests that fail anyway would see every change.
      if (!passed || met === undefined) throw new Error(`${file}: must pass without a change:\n${log}`);
      const left = met.filter(([id]) => unseen.has(id));
      const whole = new Set(metAtLoad);
      const shares = Array.from({ length: jobs }, (_, job) => left.filter((_one, at) => at % jobs === job));
      await each(shares, async (share) => {
        const { seen, unsure } = await judge(folder, file, share);
        for (const id of seen) unseen.delete(id);
        for (const id of unsure) whole.add(id);
      });
      await each([...whole], async (id) => {
        if (unseen.has(id) && !(await runTests(folder, file, { kind: 'whole', active: id })).passed) unseen.delete(id);
      });
      console.log(`after ${file}: ${unseen.size} not seen`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  for (const { file, line, was, now } of unseen.values()) console.log(`not seen: ${file}:${line}: ${was} -> ${now}`);
  const seen = changes.size - unseen.size;
  const share = (100 * seen) / changes.size;
  console.log(`seen: ${seen} of ${changes.size} (${share.toFixed(1)} %)`);
  if (share < least) process.exitCode = 1;
}

await main();
