import { larger, smaller } from '../eth/units';
import { type Hex } from '../eth/bytes';

/** Blocks from one to another, both included. */
export type BlockRange = { readonly from: bigint; readonly to: bigint };

/** A block and its hash. */
export type BlockMark = { readonly number: bigint; readonly hash: Hex };

/** Adds a range to ranges that are in order and do not touch. */
export function withRange(ranges: readonly BlockRange[], { from, to }: BlockRange): BlockRange[] {
  const before = ranges.filter((range) => range.to + 1n < from);
  const after = ranges.filter((range) => range.from > to + 1n);
  const touched = ranges.filter((range) => range.to + 1n >= from && range.from <= to + 1n);
  const first = touched[0]?.from ?? from;
  const last = touched.at(-1)?.to ?? to;
  return [...before, { from: smaller(first, from), to: larger(last, to) }, ...after];
}

/** @returns What is left of ranges up to a block, which is kept. */
export const upTo = (ranges: readonly BlockRange[], last: bigint): BlockRange[] =>
  ranges.filter(({ from }) => from <= last).map(({ from, to }) => ({ from, to: smaller(to, last) }));

/** @returns The newest blocks up to `last` that are in no range, at most so many; undefined if there are none. */
export function newestGap(ranges: readonly BlockRange[], last: bigint, most: bigint): BlockRange | undefined {
  let to = last;
  for (const range of ranges.toReversed()) {
    if (range.from > to) continue;
    if (range.to < to) return { from: larger(to - most + 1n, range.to + 1n), to };
    to = range.from - 1n;
  }
  return to < 0n ? undefined : { from: larger(to - most + 1n, 0n), to };
}

/** @returns The number of blocks in ranges. */
export const countBlocks = (ranges: readonly BlockRange[]): bigint =>
  ranges.reduce((count, { from, to }) => count + to - from + 1n, 0n);
