import { type Table } from '../report/report';
import { spread, type Summary } from '../report/statistics';
import { measuredNode, runInNode } from '../runtime/node';
import { recordPreviews } from '../runtime/record-previews';

/** Milliseconds until a node answers: at once, and a node far away. */
const DELAYS = [0, 50] as const;

/** What the program `previews` measures. Times in milliseconds, by preview and delay. */
export type Previews = {
  readonly version: string;
  readonly trips: Readonly<Record<string, { readonly rounds: number; readonly requests: number }>>;
  readonly times: Readonly<
    Record<string, Readonly<Record<string, { readonly preview: Summary; readonly alone: Summary }>>>
  >;
};

/** @returns What previews cost; undefined without a suitable Node. */
export async function measurePreviews(quick: boolean): Promise<Previews | undefined> {
  if (measuredNode() === undefined) return undefined;
  return runInNode<Previews>('previews', { ...(await recordPreviews()), delays: DELAYS, rounds: quick ? 3 : 40 });
}

/** One row a preview: its round trips, and at each delay what it takes beside the same requests alone. */
export const previewTable = ({ version, trips, times }: Previews): Table => ({
  title: `Previews, ms, Node ${version}`,
  columns: [
    'What is previewed',
    'sequential round trips',
    'requests',
    ...DELAYS.flatMap((delay) => [`node answers after ${delay} ms: preview`, 'requests alone']),
  ],
  rows: Object.entries(trips).map(([name, { rounds, requests }]) => [
    name,
    String(rounds),
    String(requests),
    ...DELAYS.flatMap((delay) => {
      const { preview, alone } = times[name]?.[delay] ?? {};
      return [preview, alone].map((each) => (each === undefined ? '–' : spread(each)));
    }),
  ]),
});
