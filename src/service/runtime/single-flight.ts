/**
 * Makes a function of which one run at a time is in progress: whoever calls it meanwhile shares that run.
 *
 * @param run - The function.
 */
export function singleFlight<Result>(run: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined;
  return () =>
    (running ??= run().finally(() => {
      running = undefined;
    }));
}
