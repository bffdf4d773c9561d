import { type Table } from '../report';
import { spread, summary, type Summary } from '../statistics';
import { type BundleSize } from './manifest';
import { FLOOR, FLOOR_STATE, oneCallFloorOf, OURS } from './names';

/** Milliseconds a request, by method and snap. */
export type Times = Readonly<Record<string, Readonly<Record<string, Summary>>>>;

/** Why a snap has no time, by snap and method. */
export type Failures = Readonly<Record<string, Readonly<Record<string, string>>>>;

const NONE = '–';
const FAILED = 'failed';
const ratio = (ours: number | undefined, theirs: number | undefined): string =>
  ours === undefined || theirs === undefined || !Number.isFinite(ours / theirs) ? NONE : (ours / theirs).toFixed(2);

export function sizeTable(title: string, names: readonly string[], sizes: Readonly<Record<string, BundleSize>>): Table {
  const forms = ['raw', 'gzip', 'files'] as const;
  return {
    title,
    columns: ['Snap', 'raw', 'gzip', 'further files, raw'],
    rows: names.map((name) => [name, ...forms.map((form) => (sizes[name]?.[form] ?? 0).toLocaleString('en'))]),
  };
}

/** @param boots - Milliseconds from the start of the executor, one a round, by snap. */
export function startTable(
  title: string,
  names: readonly string[],
  boots: Readonly<Record<string, readonly number[]>>,
): Table {
  const bootOf = (name: string): Summary => summary(boots[name] ?? []);
  const floors = [FLOOR, FLOOR_STATE];
  return {
    title,
    columns: ['Snap', 'boot to first answer, ms', ...floors.map((floor) => `boot / ${floor}`)],
    rows: names.map((name) => [
      name,
      spread(bootOf(name)),
      ...floors.map((floor) => ratio(bootOf(name).median, bootOf(floor).median)),
    ]),
  };
}

/** One row a method, one column a snap, and what ours takes by each floor. */
export function latencyTable(title: string, names: readonly string[], times: Times, failures: Failures): Table {
  const methods = [...new Set([...Object.keys(times), ...names.flatMap((name) => Object.keys(failures[name] ?? {}))])];
  return {
    title,
    columns: ['Request', ...names, ...[FLOOR, 'the one-call floor'].map((name) => `${OURS} / ${name}`)],
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
      ];
    }),
  };
}
