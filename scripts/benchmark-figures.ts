import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { type Figure, sentence } from './figure';

/*
 * The figures of the docs that come from the benchmark's tables in docs/benchmarks (`npm run bench` writes these).
 */

const FOLDER = resolve(import.meta.dirname, '../docs/benchmarks');
const PERFORMANCE = 'docs/performance.md';
const ATTACKS = 'docs/attacks.md';

const OURS = 'keystead';
const EMPTY = 'empty snap';
const SAMPLE = 'snap-simple-keyring-snap';
const ABSTRACTION = 'snap-account-abstraction-keyring';

const pageOf = (part: string): string => readFileSync(join(FOLDER, `${part}.md`), 'utf8');

const cellsOf = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

/**
 * Finds a cell of a table in Markdown.
 *
 * @param page - The page that has the table.
 * @param column - The name of its column; the column itself tells which of the page's tables is meant.
 * @param row - The text of the first cell of its row.
 * @returns The text of the cell.
 * @throws If no table has that row and that column.
 */
export function cellOf(page: string, column: string, row: string): string {
  let columns: readonly string[] = [];
  let isInTable = false;
  for (const line of page.split('\n')) {
    if (!line.startsWith('|')) isInTable = false;
    else {
      const cells = cellsOf(line);
      if (!isInTable) columns = cells;
      isInTable = true;
      const cell = cells[columns.indexOf(column)];
      if (cells[0] === row && cells !== columns && cell !== undefined) return cell;
    }
  }
  throw new Error(`docs/benchmarks: no row "${row}" with a column "${column}"`);
}

/** @returns The commit that all pages were measured at. @throws If they differ, since such must not be compared. */
export function oneCommit(pages: readonly string[]): string {
  const commits = [...new Set(pages.map((page) => /Measured at commit ([^,]+),/u.exec(page)?.[1] ?? 'no commit'))];
  const [commit] = commits;
  if (commits.length === 1 && commit !== undefined && /^[\da-f]{8}$/u.test(commit)) return commit;
  throw new Error(
    `docs/benchmarks: tables must be of one commit, without changes, but they are of ${commits.join('; ')} (npm run bench)`,
  );
}

const commitOfAll = (): string =>
  oneCommit(
    readdirSync(FOLDER)
      .filter((name) => name.endsWith('.md'))
      .map((name) => pageOf(name.replace('.md', ''))),
  );

/** @returns The number at the beginning of a cell, as it is written: "19.4" of "19.4 (15.3–22.5)". */
const numberIn = (cell: string): string => /^[\d.,]+/u.exec(cell)?.[0] ?? cell;
const valueIn = (cell: string): number => Number(numberIn(cell).replaceAll(',', ''));

const snap = (column: string, row: string): string => numberIn(cellOf(pageOf('snap'), column, row));
const boot = (who: string): string => snap('boot to first answer, ms', who);

const service = (row: string): number => valueIn(cellOf(pageOf('service'), 'result', row));
const ratio = (row: string): string => service(row).toFixed(2);
const microseconds = (row: string): string => (1_000_000 / service(row)).toFixed(0);
const hundreds = (value: number): string => (Math.round(value / 100) * 100).toLocaleString('en-US');

const during = (attack: string, column: string): string => numberIn(cellOf(pageOf('abuse'), column, attack));

const LONG = 'eth_signTypedData_v4 (1,000 items)';

const OF_SNAPS: readonly Figure[] = [
  {
    file: PERFORMANCE,
    sentence: sentence(
      '| Boot to first answer | # ms, # times an empty snap; the sample keyring # ms, the',
      'account-abstraction keyring # |',
    ),
    now: () => [boot(OURS), snap('boot / empty snap', OURS), boot(SAMPLE), boot(ABSTRACTION)],
  },
  ...(
    [
      ['`personal_sign`, derived key', 'personal_sign, own key'],
      ['Permit, derived key', 'eth_signTypedData_v4 (permit), own key'],
      ['`eth_signTransaction`, derived key', 'eth_signTransaction, own key'],
      ['`personal_sign`, imported key', 'personal_sign, imported key'],
      ['Creating an account', 'keyring_createAccount, own key'],
      ['Listing accounts', 'keyring_listAccounts'],
    ] as const
  ).map(([row, request]) => ({
    file: PERFORMANCE,
    sentence: sentence(`| ${row} | # ms, # times the one-call floor; the sample keyring # |`),
    now: () => [snap(OURS, request), snap(`${OURS} / the one-call floor`, request), snap(SAMPLE, request)],
  })),
  {
    file: PERFORMANCE,
    sentence: sentence('| Typed data of 1,000 items | # and # ms; the sample keyring # and # |'),
    now: () => [OURS, SAMPLE].flatMap((who) => ['imported', 'own'].map((key) => snap(who, `${LONG}, ${key} key`))),
  },
  {
    file: PERFORMANCE,
    sentence: sentence('an empty snap that asks for it answers in # ms, one that reads the state in #.'),
    now: () => [
      snap(`${EMPTY}, one call: entropy`, 'personal_sign, own key'),
      snap(`${EMPTY}, one call: state`, 'personal_sign, imported key'),
    ],
  },
];

const AT_64 = ', 64 connections, ';
const BARE = 'keystead / bare node:http and ws';

const OF_THE_SERVICE: readonly Figure[] = [
  ...(
    [
      ["| Chain service, one uncle over HTTP | # of a bare server's rate a core at 64 connections, # at 4 |", 'http'],
      ['| Chain service, over WebSocket | # of bare `ws` at 64 connections, # at 4 |', 'ws'],
    ] as const
  ).map(([text, protocol]) => ({
    file: PERFORMANCE,
    sentence: sentence(text),
    now: () => ['64', '4'].map((count) => ratio(`${protocol}, ${count} connections, ${BARE}`)),
  })),
  {
    file: PERFORMANCE,
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
  {
    file: PERFORMANCE,
    sentence: sentence('| Import of an era1 file, all verified: best, median | #, # blocks a CPU-second |'),
    now: () => {
      const row = 'import, era1, all verified';
      const [, median = ''] = /median (\d+)/u.exec(cellOf(pageOf('service'), '', row)) ?? [];
      return [hundreds(service(row)), hundreds(Number(median))];
    },
  },
  {
    file: PERFORMANCE,
    sentence: sentence('| Look-ups by number / by hash, 1.5 M uncles | # / # a CPU-second |'),
    now: () => ['number', 'hash'].map((by) => hundreds(service(`look-ups by ${by}`))),
  },
];

const UNDER_ATTACK: readonly Figure[] = [
  {
    file: ATTACKS,
    sentence: sentence(
      'Three of the times are not within theirs: huge batches #, look-ups of 64 keys, which are paid for, #, and',
      'long answers that one key reads #.',
    ),
    now: () => ['huge batches', 'look-ups', 'long answers'].map((name) => during(name, 'p99 / idle p99')),
  },
  {
    file: ATTACKS,
    sentence: sentence('descriptors were as before # s after pipelined offers and # after queued uploads'),
    now: () => ['pipelined offers', 'queued uploads'].map((name) => during(name, 'as before after, s')),
  },
];

export const BENCHMARK_FIGURES: readonly Figure[] = [
  { file: PERFORMANCE, sentence: /All\s+tables\s+are\s+of\s+commit\s+([\da-f]{8})\b/u, now: () => [commitOfAll()] },
  ...OF_SNAPS,
  ...OF_THE_SERVICE,
  ...UNDER_ATTACK,
];
