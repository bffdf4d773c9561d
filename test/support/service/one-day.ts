import { utcDay } from '../../../src/service/chain/credits';

/**
 * Repeats a test of daily credits if midnight (UTC) passes during it, because the credits are renewed then.
 *
 * @param run - Throws if something is not as it should be.
 * @returns What `run` returns.
 */
export async function withinOneDay<Result>(run: () => Promise<Result>): Promise<Result> {
  const day = utcDay(Date.now());
  try {
    return await run();
  } catch (error) {
    if (utcDay(Date.now()) === day) throw error;
    return run();
  }
}

/** A test that is repeated if midnight passes during it. */
export function testWithinOneDay(name: string, run: () => Promise<void>): void {
  test(name, () => withinOneDay(run));
}
