import { UpstreamFailure } from './upstream-failure';

/** A request's own time is up: that says nothing about the server, and no other could answer in time. */
export const outOfTime = (options: { isUnexecuted: boolean; cause?: unknown }): UpstreamFailure =>
  new UpstreamFailure('timeout', 'took too long to answer', { ...options, isFinal: true });

/**
 * Waits for work that others wait for too, so that it goes on after the deadline.
 *
 * @param work - What to wait for.
 * @param deadline - In milliseconds of `performance.now`.
 * @returns What it resolves to.
 * @throws {UpstreamFailure} A final one, if the deadline passes first.
 */
export async function untilDeadline<Result>(work: Promise<Result>, deadline: number): Promise<Result> {
  if (deadline === Infinity) return work;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => {
        reject(outOfTime({ isUnexecuted: true }));
      },
      Math.max(0, deadline - performance.now()),
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
