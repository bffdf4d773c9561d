import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { type Figure, sentence } from './figure';

/*
 * The figures of the docs that stand in the tables of the benchmark (`npm run bench` writes these).
 */

const FOLDER = resolve(import.meta.dirname, '../docs/benchmarks');

const read = <Table>(part: string): Table => JSON.parse(readFileSync(join(FOLDER, `${part}.json`), 'utf8')) as Table;

/** Medians in ms, by request and by who was asked. */
type Times = Readonly<Record<string, Readonly<Record<string, { readonly median: number }>>>>;

type SnapTable = {
  readonly sizes: Readonly<Record<string, { readonly gzip: number; readonly raw: number }>>;
  readonly starts: Readonly<Record<string, { readonly boot: readonly number[] }>>;
  readonly times: Times;
  readonly node: { readonly times: Times };
};
type OperationsTable = {
  readonly times: Times;
  readonly previews: { readonly times: Readonly<Record<string, Readonly<Record<string, Times[string]>>>> };
};
type WaterfallTable = {
  readonly rows: readonly { readonly name: string; readonly steps: readonly { readonly ms: number }[] }[];
};
type ServiceTable = {
  readonly figures: readonly { readonly name: string; readonly value: number; readonly note?: string }[];
};
type AbuseTable = { readonly attacks: readonly (readonly string[])[] };

const OURS = 'keystead';
const OLDER = 'keystead, baseline';
const SAMPLE = 'snap-simple-keyring-snap';
const ABSTRACTION = 'snap-account-abstraction-keyring';
const READS_STATE = 'empty snap, one call: state';
const ASKS_ENTROPY = 'empty snap, one call: entropy';

const ms = (value: number): string => {
  const digits = value < 100 ? 1 : 0;
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
};
const whole = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 0 });
const asRatio = (value: number): string => value.toFixed(2);
const hundreds = (value: number): string => (Math.round(value / 100) * 100).toLocaleString('en-US');

/** The least and the most. */
const spread = (values: readonly number[], show: (value: number) => string): string[] => [
  show(Math.min(...values)),
  show(Math.max(...values)),
];

/** @throws If the table has no such row, of which the message says the name. */
function must<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new Error(`docs/benchmarks: no ${name}`);
  return value;
}

const medianOf = (all: Times, request: string, who: string): number =>
  must(all[request]?.[who], `${request} of ${who}`).median;

const snap = () => read<SnapTable>('snap');

const boot = (who: string): number => {
  const { boot: all } = must(snap().starts[who], `start of ${who}`);
  return must(all.toSorted((one, other) => one - other)[Math.floor(all.length / 2)], `start of ${who}`);
};

/** Our time, its ratio to that of the empty snap with the same one call, and the sample keyring's time. */
const besideOthers = (request: string, floor: string) => (): string[] => {
  const { times: all } = snap();
  const ours = medianOf(all, request, OURS);
  return [ms(ours), asRatio(ours / medianOf(all, request, floor)), ms(medianOf(all, request, SAMPLE))];
};

/** Our time divided by another's, for each request whose name begins like this. */
const ratios = (all: Times, name: string, other: string): number[] =>
  Object.keys(all)
    .filter((request) => request.startsWith(name))
    .map((request) => medianOf(all, request, OURS) / medianOf(all, request, other));

const MESSAGE = 'personal_sign';
const PERMIT = 'eth_signTypedData_v4 (permit)';
const TRANSACTION = 'eth_signTransaction';
const LONG = 'eth_signTypedData_v4 (1,000 items)';
const CREATE = 'keyring_createAccount, own key';
const LIST = 'keyring_listAccounts';

const figureOf = (part: 'service' | 'storage', name: string) =>
  must(
    read<ServiceTable>(part).figures.find((figure) => figure.name === name),
    `figure "${name}" of the part ${part}`,
  );
const serviceRatio = (name: string): string => asRatio(figureOf('service', name).value);
const microseconds = (name: string): string => (1_000_000 / figureOf('service', name).value).toFixed(0);

/** The rate by the clock, which the figure's note begins with. */
const elapsed = (name: string): number =>
  Number(must(/^([\d.]+) (?:MiB)?\/s, elapsed/u.exec(figureOf('storage', name).note ?? '')?.[1], `rate of "${name}"`));

const file = 'docs/performance.md';

/** @throws If tables are of several commits, which must not be compared. */
export function oneCommit(tables: readonly { readonly part: string; readonly commit: string }[]): string {
  const commits = [...new Set(tables.map(({ commit }) => commit))];
  const [commit] = commits;
  if (commits.length === 1 && commit !== undefined && /^[\da-f]{8}$/u.test(commit)) return commit;
  const named = commits.map((each) => {
    const parts = tables.filter((table) => table.commit === each).map(({ part }) => part);
    return `${parts.join(', ')} of ${each}`;
  });
  throw new Error(
    `docs/benchmarks: tables must be of one commit, without changes, but they are ${named.join('; ')} (npm run bench)`,
  );
}

const commitOfAll = (): string =>
  oneCommit(
    readdirSync(FOLDER)
      .filter((name) => name.endsWith('.json'))
      .map((name) => read<{ part: string; commit: string }>(name.replace('.json', ''))),
  );

const COMMIT: readonly Figure[] = [
  { file, sentence: /All tables are of commit ([\da-f]{8})\b/u, now: () => [commitOfAll()] },
  { file: 'docs/service.md', sentence: /whole table\.\s+At\s+([\da-f]{8})\b/u, now: () => [commitOfAll()] },
  { file: 'docs/security.md', sentence: /“Now”\s+is\s+([\da-f]{8})\b/u, now: () => [commitOfAll()] },
];

const OF_SNAPS: readonly Figure[] = [
  {
    file,
    sentence: sentence(
      '| Boot to first answer | # ms, # times an empty snap; the sample keyring # ms, the',
      'account-abstraction keyring # |',
    ),
    now: () => [ms(boot(OURS)), asRatio(boot(OURS) / boot('empty snap')), ms(boot(SAMPLE)), ms(boot(ABSTRACTION))],
  },
  ...(
    [
      ['`personal_sign`, derived key', `${MESSAGE}, own key`, ASKS_ENTROPY],
      ['Permit, derived key', `${PERMIT}, own key`, ASKS_ENTROPY],
      ['`eth_signTransaction`, derived key', `${TRANSACTION}, own key`, ASKS_ENTROPY],
      ['`personal_sign`, imported key', `${MESSAGE}, imported key`, READS_STATE],
      ['Creating an account', CREATE, ASKS_ENTROPY],
      ['Listing accounts', LIST, READS_STATE],
    ] as const
  ).map(([row, request, floor]) => ({
    file,
    sentence: sentence(`| ${row} | # ms, # times the one-call floor; the sample keyring # |`),
    now: besideOthers(request, floor),
  })),
  {
    file,
    sentence: sentence('| Typed data of 1,000 items | # to # ms; the sample keyring # to # |'),
    now: () =>
      [OURS, SAMPLE].flatMap((who) =>
        spread(
          ['own', 'imported'].map((key) => medianOf(snap().times, `${LONG}, ${key} key`, who)),
          ms,
        ),
      ),
  },
  {
    file,
    sentence: sentence(
      '`personal_sign` takes # to # times as long as in the older build, a permit # to #, a transaction # to #,',
      'creating an account #, listing accounts #, the start #. In Node, `personal_sign` takes # to # times as long,',
      'a permit # to #, a transaction # to #.',
    ),
    now: () => {
      const { times: all, node } = snap();
      const ranges = (of: Times) =>
        [MESSAGE, PERMIT, TRANSACTION].flatMap((name) => spread(ratios(of, name, OLDER), asRatio));
      return [
        ...ranges(all),
        ...[CREATE, LIST].flatMap((name) => ratios(all, name, OLDER).map(asRatio)),
        asRatio(boot(OURS) / boot(OLDER)),
        ...ranges(node.times),
      ];
    },
  },
  {
    file,
    sentence: sentence('Typed data of 1,000 items takes # to # times as long (in Node # to #).'),
    now: () => {
      const { times: all, node } = snap();
      return [all, node.times].flatMap((of) => spread(ratios(of, LONG, OLDER), asRatio));
    },
  },
  {
    file,
    sentence: sentence(
      'The sample keyring signs short requests in # to # of the time, and creates an account in #. It keeps',
      'keys in memory',
    ),
    now: () => {
      const { times: all } = snap();
      const short = Object.keys(all).filter((name) =>
        [MESSAGE, PERMIT, TRANSACTION].some((method) =>
          ['own', 'imported'].some((key) => name === `${method}, ${key} key`),
        ),
      );
      const shares = short.map((name) => medianOf(all, name, SAMPLE) / medianOf(all, name, OURS));
      return [...spread(shares, asRatio), asRatio(medianOf(all, CREATE, SAMPLE) / medianOf(all, CREATE, OURS))];
    },
  },
  {
    file,
    sentence: sentence("The bundle is # times as large as the older build's, and # times the sample keyring's (gzip)."),
    now: () => {
      const gzip = (who: string): number => must(snap().sizes[who], `size of ${who}`).gzip;
      return [OLDER, SAMPLE].map((other) => asRatio(gzip(OURS) / gzip(other)));
    },
  },
  {
    file,
    sentence: sentence('an empty snap that asks for it answers in # ms, one that reads the state in #.'),
    now: () => [
      ms(medianOf(snap().times, `${MESSAGE}, own key`, ASKS_ENTROPY)),
      ms(medianOf(snap().times, `${MESSAGE}, imported key`, READS_STATE)),
    ],
  },
];

const OF_OPERATIONS: readonly Figure[] = [
  {
    file,
    sentence: sentence(
      '| `eth_prepareUserOperation` | # ms, an empty snap with the same round trips #; the',
      'account-abstraction keyring # |',
    ),
    now: () =>
      [OURS, 'empty snap, the same round trips', ABSTRACTION].map((who) =>
        ms(medianOf(read<OperationsTable>('operations').times, 'eth_prepareUserOperation, imported key', who)),
      ),
  },
  {
    file,
    sentence: sentence(
      '| Preview of what calls change | 2–3 rounds of requests; beyond these requests alone, # to # ms if the node',
      'answers at once, # to # if it takes 50 |',
    ),
    now: () =>
      ['0', '50'].flatMap((delay) =>
        spread(
          Object.values(read<OperationsTable>('operations').previews.times).map((delays) => {
            const { preview, alone } = must(delays[delay], `preview at a node that answers after ${delay} ms`);
            return must(preview, 'preview').median - must(alone, 'requests alone').median;
          }),
          ms,
        ),
      ),
  },
  {
    file,
    sentence: sentence(
      'it prepares a user operation in # ms (ours #), patches it in # (ours #) and signs it in # (ours #).',
    ),
    now: () =>
      ['prepare', 'patch', 'sign'].flatMap((step) =>
        [ABSTRACTION, OURS].map((who) =>
          whole(medianOf(read<OperationsTable>('operations').times, `eth_${step}UserOperation, imported key`, who)),
        ),
      ),
  },
];

const OF_THE_WATERFALL: readonly Figure[] = [
  {
    file,
    sentence: sentence(
      'Of the # ms that `personal_sign` took with an imported key ([waterfall](benchmarks/waterfall.md)), #',
      'were messages between the wallet and the snap, # reading, hashing and explaining the request, and #',
      'signing, checking the signature and recording it. A transaction took #, of which # were the last',
      'part',
    ),
    now: () => {
      const steps = (name: string): readonly [number, number, number, number] => {
        const row = read<WaterfallTable>('waterfall').rows.find((each) => each.name === name);
        const [there, explained, back, signed] = must(row, name).steps.map((step) => step.ms);
        return [there ?? 0, explained ?? 0, back ?? 0, signed ?? 0];
      };
      const sum = (all: readonly number[]): number => all.reduce((total, each) => total + each, 0);
      const [there, explained, back, signed] = steps('personal_sign');
      const transaction = steps('eth_signTransaction');
      return [there + explained + back + signed, there + back, explained, signed, sum(transaction), transaction[3]].map(
        ms,
      );
    },
  },
];

const AT_64 = ', 64 connections, ';
const OF_SERVICES: readonly Figure[] = [
  ...(
    [
      ["| Chain service, one uncle over HTTP | # of a bare server's rate a core at 64 connections, # at 4 |", 'http'],
      ['| Chain service, over WebSocket | # of bare `ws` at 64 connections, # at 4 |', 'ws'],
    ] as const
  ).map(([text, protocol]) => ({
    file,
    sentence: sentence(text),
    now: () =>
      ['64', '4'].map((count) => serviceRatio(`${protocol}, ${count} connections, keystead / bare node:http and ws`)),
  })),
  {
    file,
    sentence: sentence(
      'The chain service needs # µs of processor time for one uncle over HTTP and 64 connections, where a',
      'bare server on `node:http` needs # to answer the same bytes. Over WebSocket it is # and # µs.',
    ),
    now: () =>
      ['http', 'ws'].flatMap((protocol) =>
        ['keystead, one uncle again and again', 'bare node:http and ws'].map((who) =>
          microseconds(`${protocol}${AT_64}${who}`),
        ),
      ),
  },
  ...(['HTTP', 'WebSocket'] as const).flatMap((protocol): Figure[] => {
    const named = (what: string): string => `${protocol === 'HTTP' ? 'http' : 'ws'}${AT_64}${what}`;
    const rate = (what: string): string => hundreds(figureOf('service', named(`keystead, ${what}`)).value);
    return [
      {
        file: 'docs/service.md',
        sentence: sentence(`| ${protocol}, the same uncle repeatedly | # requests | # | # |`),
        now: () => [
          rate('one uncle again and again'),
          serviceRatio(named('keystead / bare node:http and ws')),
          serviceRatio(named('keystead / anvil, one uncle again and again')),
        ],
      },
      ...(
        [
          ['4,000 uncles in turn', '4000 uncles by turns', '4000 uncles by turns'],
          ['another uncle each time', 'another uncle each time', 'another each time'],
        ] as const
      ).map(([row, what, besideAnvil]) => ({
        file: 'docs/service.md',
        sentence: sentence(`| ${protocol}, ${row} | # requests | | # |`),
        now: () => [rate(what), serviceRatio(named(`keystead / anvil, ${besideAnvil}`))],
      })),
    ];
  }),
  {
    file: 'docs/service.md',
    sentence: sentence('| import, era1, all verified: best, median | #, # blocks |'),
    now: () => {
      const { value, note = '' } = figureOf('service', 'import, era1, all verified');
      return [hundreds(value), hundreds(Number(/median (\d+)/u.exec(note)?.[1]))];
    },
  },
  {
    file: 'docs/service.md',
    sentence: sentence('| look-ups by number / by hash, 1.5 M uncles | # / # |'),
    now: () => ['number', 'hash'].map((by) => hundreds(figureOf('service', `look-ups by ${by}`).value)),
  },
  {
    file: 'docs/service.md',
    sentence: sentence(
      'The 99th percentile of look-ups is # µs by number and # by hash; the index takes # MB of memory.',
    ),
    now: () =>
      ['look-ups by number, p99', 'look-ups by hash, p99', 'synthetic archive, index in memory'].map((name) =>
        figureOf('service', name).value.toFixed(0),
      ),
  },
];

const OF_STORAGE: readonly Figure[] = [
  {
    file,
    sentence: sentence(
      '| Storage service, durable `add` | # MiB/s; a bare server that hashes, writes one file and syncs it: # |',
    ),
    now: () => ['add, durable', 'floor: bare server, hash and write'].map((name) => whole(elapsed(name))),
  },
  {
    file,
    sentence: sentence('| Storage service, small files | # durable and pinned adds of 1 KiB a second |'),
    now: () => [whole(elapsed('add of 1 KiB, 16 connections, durable'))],
  },
  {
    file,
    sentence: sentence('| Storage service, `cat` | # MiB/s, # times the reference exporter |'),
    now: () => [whole(elapsed('cat, durable')), asRatio(figureOf('storage', 'cat, durable, elapsed').value)],
  },
];

type Attack = {
  readonly name: string;
  /** The p99 of an honest key during the attack by that without. */
  readonly ratio: string;
  /** Descriptors before the attack and one second after it. */
  readonly before: string;
  readonly after: string;
  /** Seconds until they were as before. */
  readonly back: string;
  /** MiB that the process took more. */
  readonly memory: string;
};

const attacks = (): Attack[] =>
  read<AbuseTable>('abuse').attacks.map((cells) => {
    const [name = '', , , , ratio = '', , , , , descriptors = '', back = '', memory = ''] = cells;
    const [before = '', , after = ''] = descriptors.split(', ');
    return { name, ratio, before, after, back, memory };
  });

const during = (name: string): Attack =>
  must(
    attacks().find((attack) => attack.name === name),
    `attack "${name}"`,
  );

const SECURITY = 'docs/security.md';

const UNDER_ATTACK: readonly Figure[] = [
  ...attacks().map(({ name }) => ({
    file: SECURITY,
    sentence: sentence(`| ${name} | ~ | # | ~ | ~ | # | # | # |`),
    now: () => {
      const { ratio, before, after, memory } = during(name);
      return [ratio, before, after, memory];
    },
  })),
  {
    file: SECURITY,
    sentence: sentence(
      'Three of the times are not: huge batches #, look-ups of 64 keys, which are work that was paid for, #, and',
      'long answers that one key reads #.',
    ),
    now: () => ['huge batches', 'look-ups', 'long answers'].map((name) => during(name).ratio),
  },
  {
    file: SECURITY,
    sentence: sentence('it took # s after pipelined offers and # after queued uploads'),
    now: () => ['pipelined offers', 'queued uploads'].map((name) => during(name).back),
  },
];

export const BENCHMARK_FIGURES: readonly Figure[] = [
  ...COMMIT,
  ...OF_SNAPS,
  ...OF_OPERATIONS,
  ...OF_THE_WATERFALL,
  ...OF_SERVICES,
  ...OF_STORAGE,
  ...UNDER_ATTACK,
];
