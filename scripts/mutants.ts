import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';

import ts from 'typescript';

/**
 * Makes random changes of one operator each in `src/core`, and looks whether a test sees them:
 * `tsx scripts/mutants.ts [--count 200] [--seed 1] [--least 90]`. Prints those that no test saw, and ends with an error
 * if fewer than `--least` percent were seen. A change that no test can see, such as `<=` for `<` at a bound that is
 * never reached, counts as not seen.
 */

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    least: { type: 'string', default: '90' },
  },
});
const [count, seed, least] = [Number(values.count), Number(values.seed), Number(values.least)];

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const CHANGED = join(ROOT, 'src/core');
/** The quickest first: what it sees, the others need not look at. */
const SUITES: readonly (readonly string[])[] = [
  ['test/unit/core.test.ts'],
  ['test/property', 'test/vectors'],
  ['test/hostile'],
];
/** As many copies of the repository as this machine has cores for. */
const COPIES = 2;

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

/** One change: the text from `start` to `end` becomes another one. */
type Mutant = {
  readonly file: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
};

/** @returns Whether `+` adds texts here, where `-` would not even be a number. */
const addsText = ({ left, right }: ts.BinaryExpression): boolean =>
  [left, right].some((side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side));

function mutantsOf(file: string): Mutant[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: Mutant[] = [];
  const add = (start: number, end: number, text: string): void => {
    const { line } = source.getLineAndCharacterOfPosition(start);
    found.push({ file: relative(ROOT, file), line: line + 1, start, end, text });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node)) return;
    if (ts.isBinaryExpression(node)) {
      const instead = INSTEAD.get(node.operatorToken.kind);
      if (instead !== undefined && !addsText(node))
        add(node.operatorToken.getStart(source), node.operatorToken.getEnd(), instead);
    }
    if (ts.isConditionalExpression(node)) {
      const [yes, no] = [node.whenTrue, node.whenFalse];
      add(yes.getStart(source), no.getEnd(), `${no.getText(source)} : ${yes.getText(source)}`);
    }
    if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
      add(node.getStart(source), node.operand.getStart(source), '');
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
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

function sample(all: readonly Mutant[]): Mutant[] {
  const random = randomFrom(seed);
  const left = [...all];
  return Array.from({ length: Math.min(count, left.length) }, () =>
    left.splice(Math.floor(random() * left.length), 1),
  ).flat();
}

/** A copy of what the tests need, whose sources may be changed. */
function copy(): string {
  const folder = mkdtempSync(join(tmpdir(), 'keystead-mutants-'));
  const skipped = new Set(['.git', 'release', 'coverage', 'dist-docs']);
  for (const name of readdirSync(ROOT)) {
    if (skipped.has(name)) continue;
    if (name === 'src' || name === 'test') {
      const isOurs = (path: string): boolean => !path.includes('node_modules');
      cpSync(join(ROOT, name), join(folder, name), { recursive: true, filter: isOurs });
    } else symlinkSync(join(ROOT, name), join(folder, name));
  }
  return folder;
}

const run = promisify(execFile);

/** @returns What a suite says as it fails; undefined if it passes. */
async function failureOf(folder: string, suite: readonly string[]): Promise<string | undefined> {
  const args = ['node_modules/jest/bin/jest.js', ...suite, '--bail', '--coverage=false', '--silent'];
  try {
    // A loop that no longer ends is seen, too.
    await run(process.execPath, args, { cwd: folder, timeout: 900_000, maxBuffer: 1 << 30 });
    return undefined;
  } catch (error) {
    const { message, stderr = '' } = error as { message: string; stderr?: string };
    return `${message}\n${stderr}`;
  }
}

async function isSeen(folder: string, { file, start, end, text }: Mutant): Promise<boolean> {
  const path = join(folder, file);
  const before = readFileSync(path, 'utf8');
  writeFileSync(path, before.slice(0, start) + text + before.slice(end));
  try {
    for (const suite of SUITES) if ((await failureOf(folder, suite)) !== undefined) return true;
    return false;
  } finally {
    writeFileSync(path, before);
  }
}

async function main(): Promise<void> {
  const files = readdirSync(CHANGED, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(CHANGED, name));
  const all = files.flatMap(mutantsOf);
  const chosen = sample(all);
  console.log(`${chosen.length} of ${all.length} changes of one operator, seed ${seed}`);
  const folders = Array.from({ length: COPIES }, copy);
  const unseen: Mutant[] = [];
  try {
    // Tests that fail anyway would see every change.
    for (const suite of SUITES) {
      const failure = await failureOf(folders[0]!, suite);
      if (failure !== undefined) throw new Error(`${suite.join(' ')}: must pass without a change:\n${failure}`);
    }
    const waiting = [...chosen];
    await Promise.all(
      folders.map(async (folder) => {
        for (let mutant = waiting.pop(); mutant !== undefined; mutant = waiting.pop()) {
          if (await isSeen(folder, mutant)) continue;
          unseen.push(mutant);
          const was = readFileSync(join(ROOT, mutant.file), 'utf8').slice(mutant.start, mutant.end);
          console.log(
            `not seen: ${mutant.file}:${mutant.line}: ${was} -> ${mutant.text === '' ? '(nothing)' : mutant.text}`,
          );
        }
      }),
    );
  } finally {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
  const share = (100 * (chosen.length - unseen.length)) / chosen.length;
  console.log(`seen: ${chosen.length - unseen.length} of ${chosen.length} (${share.toFixed(1)} %)`);
  if (share < least) process.exitCode = 1;
}

await main();
