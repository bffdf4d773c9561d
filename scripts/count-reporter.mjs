import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * Where `KEYSTEAD_WRITE_SECONDS=1` writes how long each file took, and its CPU-seconds (`test-runner.mjs` says what
 * they contain), so that the next slow test is seen in review. On a busy machine only CPU-seconds can be compared.
 */
const SECONDS = join(ROOT, 'test/seconds.json');

const SLOWEST = 12;

const row = (cells) =>
  cells.map((cell, at) => (at === 0 ? String(cell).padEnd(10) : String(cell).padStart(9))).join('');

function kindsOf(testResults) {
  const kinds = new Map();
  for (const result of testResults) {
    const { testFilePath, testExecError, numPassingTests, numFailingTests, numPendingTests, perfStats } = result;
    // A file that could not be loaded has no name of its project, but its folder has the same.
    const name = result.displayName?.name ?? relative(ROOT, testFilePath).split('/')[1];
    const kind = kinds.get(name) ?? { files: 0, passed: 0, failed: 0, skipped: 0, seconds: 0, cpuSeconds: 0 };
    kind.files += 1;
    kind.passed += numPassingTests;
    kind.failed += numFailingTests + (testExecError === undefined ? 0 : 1);
    kind.skipped += numPendingTests;
    kind.seconds += (perfStats.end - perfStats.start) / 1000;
    kind.cpuSeconds += result.cpuSeconds ?? 0;
    kinds.set(name, kind);
  }
  return [...kinds].sort(([one], [other]) => (one < other ? -1 : 1));
}

const tenths = (seconds) => Math.round(seconds * 10) / 10;

/** @returns Each test file with its seconds, the slowest first. A file that could not be loaded has no CPU-seconds. */
const filesOf = (testResults) =>
  testResults
    .map(({ testFilePath, cpuSeconds = 0, perfStats: { start, end } }) => [
      relative(ROOT, testFilePath),
      { seconds: tenths((end - start) / 1000), cpuSeconds: tenths(cpuSeconds) },
    ])
    .sort(([, one], [, other]) => other.seconds - one.seconds);

/** @returns How long each file took when the table was last written. */
function recordedFiles() {
  try {
    return JSON.parse(readFileSync(SECONDS, 'utf8')).files;
  } catch {
    return {};
  }
}

/** Ends a test run with the counts of each kind of test, the slowest files, and one plain line for all of them. */
export default class CountReporter {
  onRunComplete(_contexts, { testResults, numPassedTests, numFailedTests, numPendingTests, numTodoTests, ...rest }) {
    const kinds = kindsOf(testResults);
    const files = filesOf(testResults);
    const recorded = recordedFiles();
    const rows = kinds.map(([name, { files: count, passed, failed, skipped, seconds, cpuSeconds }]) =>
      row([name, count, passed, failed, skipped, Math.round(seconds), Math.round(cpuSeconds)]),
    );
    const slowest = files
      .slice(0, SLOWEST)
      .map(([file, { seconds, cpuSeconds }]) =>
        [
          seconds.toFixed(1).padStart(8),
          cpuSeconds.toFixed(1).padStart(8),
          String(recorded[file]?.cpuSeconds ?? 'new').padStart(9),
          `  ${file}`,
        ].join(''),
      );
    const inFiles = kinds.reduce((sum, [, { cpuSeconds }]) => sum + cpuSeconds, 0);
    // With one worker, Jest's own process runs the tests, and its seconds are already among theirs.
    const own = process.cpuUsage();
    const failed = numFailedTests + rest.numRuntimeErrorTestSuites;
    process.stderr.write(
      `\n${row(['kind', 'files', 'passed', 'failed', 'skipped', 'seconds', 'CPU-s'])}\n${rows.join('\n')}\n` +
        `\n seconds   CPU-s recorded  slowest files\n${slowest.join('\n')}\n` +
        `\nCPU-seconds: ${Math.round(inFiles)} of test files, ${Math.round((own.user + own.system) / 1e6)} of Jest's first process\n` +
        `\ntests: ${numPassedTests} passed, ${failed} failed, ${numPendingTests + numTodoTests} skipped\n`,
    );
    if (process.env.KEYSTEAD_WRITE_SECONDS !== '1') return;
    const rounded = (kind) => ({ ...kind, seconds: Math.round(kind.seconds), cpuSeconds: Math.round(kind.cpuSeconds) });
    const table = {
      kinds: Object.fromEntries(kinds.map(([name, kind]) => [name, rounded(kind)])),
      files: Object.fromEntries(files),
    };
    writeFileSync(SECONDS, `${JSON.stringify(table, null, 2)}\n`);
  }
}
