import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Where `KEYSTEAD_WRITE_SECONDS=1` writes how long each file took, so that the next slow test is seen in review. */
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
    const kind = kinds.get(name) ?? { files: 0, passed: 0, failed: 0, skipped: 0, seconds: 0 };
    kind.files += 1;
    kind.passed += numPassingTests;
    kind.failed += numFailingTests + (testExecError === undefined ? 0 : 1);
    kind.skipped += numPendingTests;
    kind.seconds += (perfStats.end - perfStats.start) / 1000;
    kinds.set(name, kind);
  }
  return [...kinds].sort(([one], [other]) => (one < other ? -1 : 1));
}

/** @returns Each test file with its seconds, the slowest first. */
const secondsOf = (testResults) =>
  testResults
    .map(({ testFilePath, perfStats: { start, end } }) => [
      relative(ROOT, testFilePath),
      Math.round((end - start) / 100) / 10,
    ])
    .sort(([, one], [, other]) => other - one);

/** @returns How long each file took when the table was last written. */
function recordedSeconds() {
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
    const seconds = secondsOf(testResults);
    const recorded = recordedSeconds();
    const rows = kinds.map(([name, { files, passed, failed, skipped, seconds: sum }]) =>
      row([name, files, passed, failed, skipped, Math.round(sum)]),
    );
    const slowest = seconds
      .slice(0, SLOWEST)
      .map(([file, now]) => `${now.toFixed(1).padStart(8)}${String(recorded[file] ?? 'new').padStart(9)}  ${file}`);
    const failed = numFailedTests + rest.numRuntimeErrorTestSuites;
    process.stderr.write(
      `\n${row(['kind', 'files', 'passed', 'failed', 'skipped', 'seconds'])}\n${rows.join('\n')}\n` +
        `\n seconds recorded  slowest files\n${slowest.join('\n')}\n` +
        `\ntests: ${numPassedTests} passed, ${failed} failed, ${numPendingTests + numTodoTests} skipped\n`,
    );
    if (process.env.KEYSTEAD_WRITE_SECONDS !== '1') return;
    const table = {
      kinds: Object.fromEntries(kinds.map(([name, kind]) => [name, { ...kind, seconds: Math.round(kind.seconds) }])),
      files: Object.fromEntries(seconds),
    };
    writeFileSync(SECONDS, `${JSON.stringify(table, null, 2)}\n`);
  }
}
