/** @returns A function that runs work in the order it arrives, each after the previous one has settled. */
export function createRequestQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work, work);
    last = result;
    return result;
  };
}
