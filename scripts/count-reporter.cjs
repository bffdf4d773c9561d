/** Ends a test run with the counts of each kind of test, and one plain line for all of them. */
module.exports = class CountReporter {
  onRunComplete(_contexts, { testResults, numPassedTests, numFailedTests, numPendingTests, numTodoTests, ...rest }) {
    const kinds = new Map();
    for (const { displayName, numPassingTests, numFailingTests, numPendingTests: pending, perfStats } of testResults) {
      const name = displayName?.name ?? 'tests';
      const kind = kinds.get(name) ?? { files: 0, passed: 0, failed: 0, skipped: 0, seconds: 0 };
      kind.files += 1;
      kind.passed += numPassingTests;
      kind.failed += numFailingTests;
      kind.skipped += pending;
      kind.seconds += (perfStats.end - perfStats.start) / 1000;
      kinds.set(name, kind);
    }
    const row = (cells) =>
      cells.map((cell, at) => (at === 0 ? String(cell).padEnd(10) : String(cell).padStart(9))).join('');
    const rows = [...kinds]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, { files, passed, failed, skipped, seconds }]) =>
        row([name, files, passed, failed, skipped, Math.round(seconds)]),
      );
    const failed = numFailedTests + rest.numRuntimeErrorTestSuites;
    process.stderr.write(
      `\n${row(['kind', 'files', 'passed', 'failed', 'skipped', 'seconds'])}\n${rows.join('\n')}\n` +
        `\ntests: ${numPassedTests} passed, ${failed} failed, ${numPendingTests + numTodoTests} skipped\n`,
    );
  }
};
