/** Whether the long forms of the tests run: all combinations and counts, as `.ci/nightly` runs them. */
export const IS_NIGHTLY = process.env['KEYSTEAD_NIGHTLY'] === '1';

/** @returns What a test takes every day, or in the nightly run. */
export const perRun = <T>(everyDay: T, nightly: T): T => (IS_NIGHTLY ? nightly : everyDay);
