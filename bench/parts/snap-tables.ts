import { type Group } from '../report/chart';
import { type Table } from '../report/report';
import { shown, spread, summary, type Summary } from '../report/statistics';
import { type BundleSize } from '../runtime/manifest';
import { BASELINE, FLOOR, FLOOR_STATE, oneCallFloorOf, OURS } from '../runtime/names';
import { type InNode } from '../runtime/node';
import { FIRST_AGAIN } from './snap-requests';

/** Milliseconds from the start of the executor, one a round; and bytes. */
export type Start = { readonly boot: number[]; readonly firstSignature: number[]; heap: number };

/** Milliseconds a request, by method and snap. */
export type Times = Readonly<Record<string, Readonly<Record<string, Summary>>>>;

/** Why a snap has no time, by snap and method. */
export type Failures = Readonly<Record<string, Readonly<Record<string, string>>>>;

type Sizes = Readonly<Record<string, BundleSize>>;

const NONE = '–';
const FAILED = 'failed';
const cell = (values: readonly number[]): string => (values.length === 0 ? NONE : spread(summary(values)));
const ratio = (ours: number | undefined, theirs: number | undefined): string =>
  ours === undefined || theirs === undefined || !Number.isFinite(ours / theirs) ? NONE : (ours / theirs).toFixed(2);

/** @returns The ratio to an older build, where one is measured. */
const toBaseline = (names: readonly string[], of: () => string): string[] => (names.includes(BASELINE) ? [of()] : []);

export function sizeTable(title: string, names: readonly string[], sizes: Sizes): Table {
  const bytes = (value: number): string => value.toLocaleString('en');
  const forms = ['raw', 'gzip', 'brotli', 'files'] as const;
  const [ours, baseline] = [sizes[OURS], sizes[BASELINE]];
  return {
    title,
    columns: ['Snap', 'raw', 'gzip', 'brotli', 'further files, raw'],
    rows: [
      ...names.map((name) => [name, ...forms.map((form) => bytes(sizes[name]?.[form] ?? 0))]),
      ...toBaseline(names, () => `${OURS} / ${BASELINE}`).map((label) => [
        label,
        ...forms.map((form) => ratio(ours?.[form], baseline?.[form])),
      ]),
    ],
  };
}

export function startTable(
  title: string,
  names: readonly string[],
  { starts, node }: { starts: Readonly<Record<string, Start>>; node: InNode },
): Table {
  const medianOf = (name: string, part: 'boot' | 'firstSignature'): number =>
    summary(starts[name]?.[part] ?? []).median;
  return {
    title,
    columns: [
      'Snap',
      'boot to first answer, ms',
      ...[FLOOR, FLOOR_STATE, ...toBaseline(names, () => BASELINE)].map((name) => `boot / ${name}`),
      'restart to first signature, ms',
      ...toBaseline(names, () => `restart / ${BASELINE}`),
      'JS heap, MB',
      'peak memory of the process, MB (Node)',
    ],
    rows: names.map((name) => {
      const start = starts[name] ?? { boot: [], firstSignature: [], heap: 0 };
      const over = (other: string, part: 'boot' | 'firstSignature') =>
        ratio(medianOf(name, part), medianOf(other, part));
      return [
        name,
        cell(start.boot),
        over(FLOOR, 'boot'),
        over(FLOOR_STATE, 'boot'),
        ...toBaseline(names, () => over(BASELINE, 'boot')),
        cell(start.firstSignature),
        ...toBaseline(names, () => over(BASELINE, 'firstSignature')),
        (start.heap / 1e6).toFixed(1),
        node.memory[name] === undefined ? NONE : shown(node.memory[name] / 1024),
      ];
    }),
  };
}

/** One row a method, one column a snap, and what ours takes by each floor and by its older build. */
export function latencyTable(title: string, names: readonly string[], times: Times, failures: Failures): Table {
  const methods = [...new Set([...Object.keys(times), ...names.flatMap((name) => Object.keys(failures[name] ?? {}))])];
  return {
    title,
    columns: [
      'Request',
      ...names,
      ...[FLOOR, 'the one-call floor', ...toBaseline(names, () => BASELINE)].map((name) => `${OURS} / ${name}`),
    ],
    rows: methods.map((method) => {
      const by = times[method] ?? {};
      const over = (other: string) => ratio(by[OURS]?.median, by[other]?.median);
      return [
        method,
        ...names.map((name) => {
          if (failures[name]?.[method] !== undefined) return FAILED;
          return by[name] === undefined ? NONE : spread(by[name]);
        }),
        over(FLOOR),
        over(oneCallFloorOf(method)),
        ...toBaseline(names, () => over(BASELINE)),
      ];
    }),
  };
}

export const latencyGroups = (times: Times): Group[] =>
  Object.entries(times).map(([name, by]) => ({
    name,
    values: Object.fromEntries(Object.entries(by).map(([system, { median }]) => [system, median])),
  }));

/** What ours takes and what another takes, and the first as a share of the second. */
export type Share = { readonly ours: number; readonly theirs: number; readonly share: number };

/** The floors that are subtracted before two snaps are compared. */
const FLOORS = ['no call', 'one call'] as const;
type Floor = (typeof FLOORS)[number];

/** The shares of one other snap: of its bundle in bytes, and of its time above each floor in ms, by method. */
export type Shares = {
  readonly bundle: Share;
  readonly above: Readonly<Record<Floor, Readonly<Record<string, Share>>>>;
};

const shareOf = (ours: number, theirs: number): Share => ({ ours, theirs, share: ours / theirs });

/**
 * @returns By name: what ours takes as a share of what each of the others takes, in what both answer. The first answer
 *   is listed only in the tables of latency.
 */
export function sharesOf(others: readonly string[], sizes: Sizes, times: Times): Record<string, Shares> {
  const rawSize = (name: string): number => sizes[name]?.raw ?? NaN;
  const compared = Object.entries(times).filter(([method]) => method !== FIRST_AGAIN);
  const above = (other: string, floorOf: (method: string) => string): Record<string, Share> =>
    Object.fromEntries(
      compared.flatMap(([method, { [OURS]: ours, [other]: theirs, [floorOf(method)]: floor }]) =>
        ours === undefined || theirs === undefined || floor === undefined
          ? []
          : [[method, shareOf(ours.median - floor.median, theirs.median - floor.median)] as const],
      ),
    );
  return Object.fromEntries(
    others.map((other) => [
      other,
      {
        bundle: shareOf(rawSize(OURS), rawSize(other)),
        above: { 'no call': above(other, () => FLOOR), 'one call': above(other, oneCallFloorOf) },
      },
    ]),
  );
}

/** A share says nothing where one of the two is at the floor or, within the accuracy of the measurement, below it. */
const shareCell = (share: Share | undefined): string =>
  share === undefined || !(share.theirs > 0 && share.ours > 0) ? NONE : share.share.toFixed(2);

/** One table for each floor. */
export function sharesTables(
  where: string,
  others: readonly string[],
  shares: Readonly<Record<string, Shares>>,
): Table[] {
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
  return FLOORS.map((floor) => {
    const methods = [...new Set(others.flatMap((other) => Object.keys(shares[other]?.above[floor] ?? {})))];
    return {
      title: `The bundle, and what a request takes above the empty snap that makes ${floor}, ms, ${where}`,
      columns: ['', OURS, ...others.flatMap((other) => [other, `${OURS} / ${other}`])],
      rows: [
        row('bundle, bytes', bytes, (of) => of?.bundle),
        ...methods.map((method) => row(method, ms, (of) => of?.above[floor][method])),
      ],
    };
  });
}
