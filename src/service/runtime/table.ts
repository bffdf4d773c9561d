import { printable } from './printable';

/** Formats a table; each column is as wide as its longest cell. */
export function table(rows: readonly (readonly string[])[]): string {
  const shown = rows.map((row) => row.map(printable));
  const widths = (rows[0] ?? []).map((_, column) =>
    shown.reduce((widest, row) => Math.max(widest, row[column]?.length ?? 0), 0),
  );
  return shown
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
