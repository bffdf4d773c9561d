import { type Group } from '../report/chart';
import { type Table } from '../report/report';
import { shown, spread, summary, type Summary } from '../report/statistics';
import { FLOOR, OURS } from '../runtime/names';
import { type InNode } from '../runtime/node';
import { FIRST_AGAIN } from './snap-requests';

/** Milliseconds from the start of the executor, one a round; and bytes. */
export type Start = { readonly boot: number[]; readonly firstSignature: number[]; heap: number };

/** Milliseconds a request, by method and snap. */
export type Times = Readonly<Record<string, Readonly<Record<string, Summary>>>>;

type Sizes = Readonly<Record<string, { readonly raw: number; readonly gzip: number }>>;

const NONE = '–';
const cell = (values: readonly number[]): string => (values.length === 0 ? NONE : spread(summary(values)));

export function startTable(
  title: string,
  names: readonly string[],
  { sizes, starts, node }: { sizes: Sizes; starts: Readonly<Record<string, Start>>; node: InNode },
): Table {
  const floorBoot = summary(starts[FLOOR]?.boot ?? []).median;
  return {
    title,
    columns: [
      'Snap',
      'bundle, bytes',
      'gzip, bytes',
      'boot to first answer, ms',
      `/ ${FLOOR}`,
      'restart to first signature, ms',
      'JS heap, MB',
      'peak memory of the process, MB (Node)',
    ],
    rows: names.map((name) => {
      const start = starts[name] ?? { boot: [], firstSignature: [], heap: 0 };
      return [
        name,
        (sizes[name]?.raw ?? 0).toLocaleString('en'),
        (sizes[name]?.gzip ?? 0).toLocaleString('en'),
        cell(start.boot),
        (summary(start.boot).median / floorBoot).toFixed(2),
        cell(start.firstSignature),
        (start.heap / 1e6).toFixed(1),
        node.memory[name] === undefined ? NONE : shown(node.memory[name] / 1024),
      ];
    }),
  };
}

export const latencyTable = (title: string, names: readonly string[], times: Times): Table => ({
  title,
  columns: ['Request', ...names, `${OURS} / ${FLOOR}`],
  rows: Object.entries(times).map(([method, by]) => {
    const [mine, floor] = [by[OURS], by[FLOOR]];
    return [
      method,
      ...names.map((name) => (by[name] === undefined ? NONE : spread(by[name]))),
      mine === undefined || floor === undefined ? NONE : (mine.median / floor.median).toFixed(2),
    ];
  }),
});

export const latencyGroups = (times: Times): Group[] =>
  Object.entries(times).map(([name, by]) => ({
    name,
    values: Object.fromEntries(Object.entries(by).map(([system, { median }]) => [system, median])),
  }));

/** What ours takes and what another takes, and the first as a share of the second. */
export type Share = { readonly ours: number; readonly theirs: number; readonly share: number };

/** The shares of one other snap: of its bundle in bytes, and of its time above the empty snap in ms, by method. */
export type Shares = { readonly bundle: Share; readonly above: Readonly<Record<string, Share>> };

const shareOf = (ours: number, theirs: number): Share => ({ ours, theirs, share: ours / theirs });

/** @returns By name: what ours takes as a share of what each of the others takes, in what both sign. */
export function sharesOf(others: readonly string[], sizes: Sizes, times: Times): Record<string, Shares> {
  const rawSize = (name: string): number => sizes[name]?.raw ?? NaN;
  const signing = Object.entries(times).filter(([method]) => method !== FIRST_AGAIN);
  return Object.fromEntries(
    others.map((other) => {
      const above = signing.flatMap(([method, { [OURS]: ours, [other]: theirs, [FLOOR]: floor }]) =>
        ours === undefined || theirs === undefined || floor === undefined
          ? []
          : [[method, shareOf(ours.median - floor.median, theirs.median - floor.median)] as const],
      );
      return [other, { bundle: shareOf(rawSize(OURS), rawSize(other)), above: Object.fromEntries(above) }];
    }),
  );
}

/** A share of what is nothing, or less, within the accuracy of the measurement says nothing. */
const shareCell = (share: Share | undefined): string =>
  share === undefined || !(share.theirs > 0) ? NONE : Math.max(0, share.share).toFixed(2);

export function sharesTable(where: string, others: readonly string[], shares: Readonly<Record<string, Shares>>): Table {
  const methods = [...new Set(others.flatMap((other) => Object.keys(shares[other]?.above ?? {})))];
  const bytes = (value: number | undefined): string => (value === undefined ? NONE : value.toLocaleString('en'));
  const ms = (value: number | undefined): string => (value === undefined ? NONE : shown(value));
  const row = (label: string, write: typeof bytes, of: (shares: Shares | undefined) => Share | undefined): string[] => {
    const each = others.map((other) => of(shares[other]));
    return [
      label,
      write(each.find((share) => share !== undefined)?.ours),
      ...each.flatMap((share) => [write(share?.theirs), shareCell(share)]),
    ];
  };
  return {
    title: `The bundle, and what a request takes above the ${FLOOR}, ms, ${where}`,
    columns: ['', OURS, ...others.flatMap((other) => [other, `${OURS} / ${other}`])],
    rows: [
      row('bundle, bytes', bytes, (of) => of?.bundle),
      ...methods.map((method) => row(method, ms, (of) => of?.above[method])),
    ],
  };
}
