import { utcDay } from '../../../src/service/chain/credits';

/**
 * For what counts on the credits of one day: they are there anew at midnight, UTC. When midnight comes in between, it is
 * done again.
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

/** A test of what counts on the credits of one day. */
export function testWithinOneDay(name: string, run: () => Promise<void>): void {
  test(name, () => withinOneDay(run));
}
