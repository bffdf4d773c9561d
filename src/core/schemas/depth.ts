/** Whether a value of JSON is at most so many levels of lists and objects deep. It looks no further. */
export const isWithin = (depth: number, value: unknown): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (depth > 0 && Object.values(value).every((member) => isWithin(depth - 1, member)));
