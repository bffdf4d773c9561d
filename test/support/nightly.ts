/** Whether the long forms of the tests run: all combinations and counts, as `.ci/nightly` runs them. */
export const IS_NIGHTLY = process.env['KEYSTEAD_NIGHTLY'] === '1';

/** @returns What a test takes every day, or in the nightly run. */
export const perRun = <T>(everyDay: T, nightly: T): T => (IS_NIGHTLY ? nightly : everyDay);

/** @returns The rows of a table of tests that only the nightly run has. */
export const onlyNightly = <const Row extends readonly unknown[]>(...rows: readonly Row[]): readonly Row[] =>
  IS_NIGHTLY ? rows : [];

/** A test that only the nightly run has, in a file whose other tests run every day. */
export function testNightly(name: string, run: () => Promise<void>, timeout?: number): void {
  if (IS_NIGHTLY) test(name, run, timeout);
}

/** Describes tests that only the nightly run has, in a file whose other tests run every day. */
export function describeNightly(name: string, tests: () => void): void {
  if (IS_NIGHTLY) describe(name, tests);
}
