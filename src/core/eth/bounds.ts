/** @returns The larger of two numbers. */
export const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** @returns The smaller of two numbers. */
export const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);
