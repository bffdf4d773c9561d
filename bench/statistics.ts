/** Summary of a series of measurements. */
export type Summary = { readonly median: number; readonly low: number; readonly high: number; readonly count: number };

const at = (sorted: readonly number[], share: number): number => sorted[Math.round(share * (sorted.length - 1))] ?? NaN;

/** @returns The median, and the range of the middle 80 %. */
export function summary(values: readonly number[]): Summary {
  const sorted = [...values].sort((a, b) => a - b);
  return { median: at(sorted, 0.5), low: at(sorted, 0.1), high: at(sorted, 0.9), count: sorted.length };
}

/** @returns The number for a table: three significant digits. */
const shown = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(value >= 10 ? 3 : 2);

/** "2.4 (2.1–3.0)" */
export const spread = ({ median, low, high }: Summary): string => `${shown(median)} (${shown(low)}–${shown(high)})`;
