/**
 * Formats columns like Kubo's listings: each but the last is as wide as its longest cell plus a space.
 *
 * @param least minimum column width, used when not all cells are known.
 */
export function textTable(rows: readonly (readonly string[])[], least = 1): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? least, cell.length + 1);
  }
  return rows
    .map((row) => `${row.map((cell, at) => (at < row.length - 1 ? cell.padEnd(widths[at] ?? 0) : cell)).join('')}\n`)
    .join('');
}
