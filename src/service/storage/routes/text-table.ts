/**
 * Lines of columns, each but the last as wide as its longest cell and a space, as Kubo prints listings.
 *
 * @param least characters of a column; more than the content asks for where that is not known as a whole.
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
