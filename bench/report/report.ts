import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, platform, release } from 'node:os';
import { join, resolve } from 'node:path';

export type Table = {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
};

/** The results of one part of the benchmark. */
export type Report = {
  readonly tables: readonly Table[];
  /** Charts by file name without extension. */
  readonly charts?: Readonly<Record<string, string>>;
  /** All measurements, for programs. */
  readonly data: unknown;
  /** What a reader must know to read the tables. */
  readonly notes?: readonly string[];
};

const FOLDER = resolve(import.meta.dirname, '../../docs/benchmarks');

/** The commit that is measured, and whether files differ from it. */
function commit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: FOLDER, encoding: 'utf8' }).trim();
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

/**
 * Prints a report, and writes it to `docs/benchmarks`.
 *
 * @param before - The machine when the part began.
 * @param isKept - Whether to write it; results of few rounds are not written.
 */
export function publish(part: string, report: Report, before: ReturnType<typeof machine>, isKept: boolean): void {
  for (const table of report.tables) print(table);
  for (const note of report.notes ?? []) console.log(`\n${note}`);
  if (!isKept) return;
  mkdirSync(FOLDER, { recursive: true });
  const about = {
    part,
    commit: commit(),
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    machine: before,
    loadAfter: machine().load,
  };
  writeFileSync(join(FOLDER, `${part}.json`), `${JSON.stringify({ ...about, ...(report.data as object) }, null, 2)}\n`);
  const charts = Object.entries(report.charts ?? {});
  for (const [name, svg] of charts) writeFileSync(join(FOLDER, `${name}.svg`), svg);
  const text = [
    `# Benchmark: ${part}\n`,
    `Written by \`npm run bench -- --part ${part}\`. ${before.cores} cores (${before.processor}), load ${before.load.join(', ')} at the start and ${about.loadAfter.join(', ')} at the end: compare numbers within one table only. Measured at commit ${about.commit}, ${about.date}.\n`,
    ...(report.notes ?? []).map((note) => `${note}\n`),
    ...report.tables.map((table) => `${markdown(table)}\n`),
    ...charts.map(([name]) => `![${name}](${name}.svg)\n`),
  ].join('\n');
  writeFileSync(join(FOLDER, `${part}.md`), text);
}
