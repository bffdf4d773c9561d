/** Whether a JSON value nests at most `depth` levels of arrays and objects. Stops at the limit. */
export const isWithin = (depth: number, value: unknown): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (depth > 0 && Object.values(value).every((member) => isWithin(depth - 1, member)));
