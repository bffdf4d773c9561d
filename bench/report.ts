import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, platform, release } from 'node:os';
import { join, resolve } from 'node:path';

import { OURS } from './snap/names';

export type Table = {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
};

/** The results of one part of the benchmark. */
export type Report = {
  readonly tables: readonly Table[];
  /** All measurements, for programs. */
  readonly data: unknown;
  /** What a reader must know to read the tables. */
  readonly notes?: readonly string[];
};

const ROOT = resolve(import.meta.dirname, '..');
/** Everything that was measured. It is not committed; the nightly run keeps it. */
const ARTIFACTS = join(ROOT, 'artifacts/benchmarks');
/** The tables that the docs cite. */
const DOCS = join(ROOT, 'docs/benchmarks');

/** Rows that no page cites. */
const UNCITED = /^load of the machine/u;

/** @returns The table without rows that no page cites, and without what ours does not answer. */
function ofOurs({ columns, rows, ...table }: Table): Table {
  const ours = columns.indexOf(OURS);
  return {
    ...table,
    columns,
    rows: rows.filter((row) => !UNCITED.test(row[0] ?? '') && (ours === -1 || row[ours] !== '–')),
  };
}

/** @returns What the docs keep of a report: no notes, and nothing about others alone. */
export const citedOf = ({ tables, data }: Report): Report => ({ tables: tables.map(ofOurs), data });

/** The commit that is measured, and whether files differ from it. */
function commit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
  const isChanged = git('status', '--porcelain', '--', ':/src', ':/scripts', ':/package-lock.json') !== '';
  return `${git('rev-parse', '--short=8', 'HEAD')}${isChanged ? ' with changes' : ''}`;
}

/** The machine and its load: figures of different machines or loads are not comparable. */
export const machine = () => ({
  processor: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  system: `${platform()} ${release()}`,
  load: loadavg().map((load) => Number(load.toFixed(2))),
});

const markdown = ({ title, columns, rows }: Table): string =>
  [
    `## ${title}\n`,
    `| ${columns.join(' | ')} |`,
    `| ${columns.map((_, index) => (index === 0 ? '---' : '---:')).join(' | ')} |`,
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ].join('\n');

function print({ title, columns, rows }: Table): void {
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...rows.map((row) => (row[index] ?? '').length)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, index) => (index === 0 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0)))
      .join('  ');
  console.log(`\n${title}\n${line(columns)}`);
  for (const row of rows) console.log(line(row));
}

/** What a reader must know of a run to read its tables. */
type About = {
  readonly part: string;
  readonly commit: string;
  readonly date: string;
  readonly machine: ReturnType<typeof machine>;
  readonly loadAfter: readonly number[];
};

function pageOf({ part, commit: measured, date, machine: before, loadAfter }: About, report: Report): string {
  return [
    `# Benchmark: ${part}\n`,
    `Written by \`npm run bench -- --part ${part}\`. ${before.cores} cores (${before.processor}), load ${before.load.join(', ')} at the start and ${loadAfter.join(', ')} at the end: compare numbers within one table only. Measured at commit ${measured}, ${date}.\n`,
    ...(report.notes ?? []).map((note) => `${note}\n`),
    ...report.tables.map((table) => `${markdown(table)}\n`),
  ].join('\n');
}

/**
 * Prints a report, and writes it to `artifacts/benchmarks`; what the docs cite of it also to `docs/benchmarks`.
 *
 * @param before - The machine when the part began.
 * @param isKept - Whether to write it; results of few rounds are not written.
 */
export function publish(part: string, report: Report, before: ReturnType<typeof machine>, isKept: boolean): void {
  for (const table of report.tables) print(table);
  for (const note of report.notes ?? []) console.log(`\n${note}`);
  if (!isKept) return;
  const about = {
    part,
    commit: commit(),
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    machine: before,
    loadAfter: machine().load,
  };
  for (const folder of [ARTIFACTS, DOCS]) mkdirSync(folder, { recursive: true });
  const all = { ...about, ...(report.data as object) };
  writeFileSync(join(ARTIFACTS, `${part}.json`), `${JSON.stringify(all, null, 2)}\n`);
  writeFileSync(join(ARTIFACTS, `${part}.md`), pageOf(about, report));
  writeFileSync(join(DOCS, `${part}.md`), pageOf(about, citedOf(report)));
}
