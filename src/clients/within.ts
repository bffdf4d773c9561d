/** The reason why work ended before it was done. */
export type Ending = 'late' | 'cancelled';

/**
 * Runs work with a time limit.
 *
 * @param ms - The limit in milliseconds.
 * @param work - Gets a signal that aborts at the end, whatever it is.
 * @param onEnd - Gives the result instead, or throws, if the work takes longer or is cancelled.
 * @param cancel - Cancels the work.
 */
export async function within<T, Instead = T>(
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
  onEnd: (why: Ending) => Instead,
  cancel?: AbortSignal,
): Promise<T | Instead> {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let onCancel: (() => void) | undefined;
  const ended = new Promise<Instead>((resolve, reject) => {
    const end = (why: Ending) => () => {
      try {
        resolve(onEnd(why));
      } catch (error) {
        reject(error as Error);
      }
      controller.abort();
    };
    timer = setTimeout(end('late'), ms);
    onCancel = end('cancelled');
    cancel?.addEventListener('abort', onCancel);
    if (cancel?.aborted === true) onCancel();
  });
  try {
    return await Promise.race([ended, work(controller.signal)]);
  } finally {
    clearTimeout(timer);
    if (onCancel !== undefined) cancel?.removeEventListener('abort', onCancel);
    controller.abort();
  }
}
