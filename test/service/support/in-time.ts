/** How often it is tried: a machine on which all of these are too late does not get anywhere. */
const ATTEMPTS = 20;

/**
 * For services that give requests very little time: a busy machine may need more than that for one that is sound. What
 * is asked of them is then asked again.
 *
 * @param ask - Throws if the answer is not the right one.
 * @returns What `ask` returns.
 * @throws What the last attempt threw.
 */
export async function inTime<Result>(ask: () => Promise<Result>): Promise<Result> {
  for (let left = ATTEMPTS; left > 1; left--) {
    try {
      return await ask();
    } catch {
      // Too late, perhaps.
    }
  }
  return ask();
}
