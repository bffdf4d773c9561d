/**
 * Awaits concurrent requests and reports the first failure in list order, regardless of which request fails first.
 *
 * @returns The results, in order.
 * @throws The error of the first request in the list that fails.
 */
export async function inOrder<const Requests extends readonly Promise<unknown>[]>(requests: Requests) {
  const all = Promise.all(requests);
  // A request may fail before its turn; avoid an unhandled rejection.
  all.catch(() => undefined);
  for (const request of requests) await request;
  return all;
}
