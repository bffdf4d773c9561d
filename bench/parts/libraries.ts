import { type Options } from '../options';
import { barChart } from '../report/chart';
import { type Report } from '../report/report';
import { shown, type Summary } from '../report/statistics';
import { runInNode } from '../runtime/node';
import { orderNote } from '../runtime/order';

type Measured = {
  readonly version: string;
  readonly rates: Readonly<Record<string, Readonly<Record<string, Summary>>>>;
  /** Our rates relative to our bare signature. */
  readonly shares: Readonly<Record<string, Summary>>;
  readonly left: readonly string[];
  readonly hashes: Readonly<Record<string, Summary>>;
};

const TITLES: Readonly<Record<string, string>> = {
  digest: 'bare signature',
  message: 'personal_sign',
  permit: 'typed data, permit',
  list: 'typed data, 1,000 items',
  transaction: 'transaction, EIP-1559',
};
const OURS = 'keystead';

/** Signing libraries in plain Node, next to the snap's pure modules; all produce the same signatures. */
export function benchLibraries({ seed, quick }: Options): Promise<Report | undefined> {
  const measured = runInNode<Measured>(
    'libraries',
    quick ? { rounds: 2, milliseconds: 50, seed } : { rounds: 9, milliseconds: 250, seed },
  );
  if (measured === undefined) {
    console.log('skipped: Node 22 or newer is not installed');
    return Promise.resolve(undefined);
  }
  const { rates, shares, left, hashes, version } = measured;
  const jobs = Object.keys(TITLES);
  const cell = (name: string, job: string): string => {
    const rate = rates[name]?.[job]?.median;
    const mine = rates[OURS]?.[job]?.median;
    return rate === undefined || mine === undefined ? '–' : `${shown(rate)} (${(rate / mine).toFixed(2)})`;
  };
  return Promise.resolve({
    tables: [
      {
        title: `Signatures a second of one core, Node ${version}; ${orderNote(seed)}`,
        columns: ['Library', ...jobs.map((job) => TITLES[job] ?? job)],
        rows: [
          ...Object.keys(rates).map((name) => [name, ...jobs.map((job) => cell(name, job))]),
          [`${OURS} / its bare signature`, ...jobs.map((job) => (shares[job]?.median ?? NaN).toFixed(2))],
        ],
      },
      {
        title: `Keccak-256 a second of one core, Node ${version}`,
        columns: ['', ...Object.keys(hashes).map((size) => `${Number(size).toLocaleString('en')} bytes`)],
        rows: [[OURS, ...Object.values(hashes).map(({ median }) => shown(median))]],
      },
    ],
    charts: {
      libraries: barChart(
        'Signatures a second of one core',
        'logarithmic',
        jobs.map((job) => ({
          name: TITLES[job] ?? job,
          values: Object.fromEntries(
            Object.entries(rates).flatMap(([name, by]) => (by[job] === undefined ? [] : [[name, by[job].median]])),
          ),
        })),
        'log',
      ),
    },
    data: { seed, ...measured },
    notes: [
      `Medians of alternating rounds; the share of ${OURS}'s rate is in brackets. All libraries were first checked to produce the same signature. The last row is measured separately: each job right after a bare signature.${left.length === 0 ? '' : ` Left out: ${left.join('; ')}.`}`,
    ],
  });
}
