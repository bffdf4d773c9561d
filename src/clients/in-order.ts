/**
 * Awaits requests that were sent together. Which failure is told does not depend on which service was the faster.
 *
 * @returns What each answered.
 * @throws The failure of the first in the list that fails.
 */
export async function inOrder<const Requests extends readonly Promise<unknown>[]>(requests: Requests) {
  const all = Promise.all(requests);
  // What fails before its turn waits for it.
  all.catch(() => undefined);
  for (const request of requests) await request;
  return all;
}
