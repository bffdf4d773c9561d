/**
 * A figure of the docs that a program can print: the sentence or row that has it, with one group for each number, and
 * the numbers as they are now.
 */
export type Figure = { readonly file: string; readonly sentence: RegExp; readonly now: () => readonly string[] };

/**
 * The pattern of a sentence or row, however it is wrapped or padded.
 *
 * @param lines - As it is written, with `#` for each number and `~` for a cell of a table that is not looked at.
 * @returns A pattern with one group for each number.
 */
export const sentence = (...lines: readonly string[]): RegExp =>
  new RegExp(
    lines
      .join(' ')
      .replace(/[.*+?^${}()|[\]\\]/gu, '\\$&')
      .replace(/\s+/gu, '\\s+')
      .replaceAll('~', '[^|\\n]*')
      .replaceAll('#', '([\\d.,]*\\d)'),
    'u',
  );

/** What is wrong about a figure, and the text of its file with what is right. */
type Stale = { readonly problem: string; readonly corrected: string };

/**
 * Compares a figure of the docs with what it is now.
 *
 * @param text - The text of its file.
 * @returns Nothing if it is right.
 */
export function staleIn(text: string, { file, sentence: pattern, now }: Figure): Stale | undefined {
  const found = new RegExp(pattern.source, `${pattern.flags}d`).exec(text);
  if (found === null) return { problem: `${file} has no sentence ${String(pattern)}`, corrected: text };
  const actual = now();
  const [whole, ...told] = found;
  if (told.every((number, at) => number === actual[at])) return undefined;
  let corrected = '';
  let from = 0;
  for (const [at, number] of told.entries()) {
    const [start, end] = found.indices?.[at + 1] ?? [from, from];
    corrected += text.slice(from, start) + (actual[at] ?? number);
    from = end;
  }
  return {
    problem: `${file} says ${told.join(', ')}, now it is ${actual.join(', ')}: ${whole}`,
    corrected: corrected + text.slice(from),
  };
}
