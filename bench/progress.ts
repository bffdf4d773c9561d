/*
 * What a measurement is at: minutes may pass before its table. On stderr, so that the tables can be kept in a file; on a
 * terminal in one line, which the next step takes the place of.
 */

const CLEAR = '\r\u001b[K';

let isShown = false;

/** Takes the line of the last step away; before anything else is printed. */
export function endSteps(): void {
  if (isShown) process.stderr.write(CLEAR);
  isShown = false;
}

/**
 * Says what is measured next.
 *
 * @param what - In a few words.
 * @param at - Which of how many it is, from 0.
 */
export function step(what: string, at: readonly [index: number, count: number]): void {
  const text = `  ${at[0] + 1} of ${at[1]}: ${what}`;
  const { stderr } = process;
  if (!stderr.isTTY) {
    stderr.write(`${text}\n`);
    return;
  }
  // A line that breaks would leave its first part behind.
  stderr.write(`${CLEAR}${text.slice(0, Math.max(1, stderr.columns - 1))}`);
  isShown = true;
}
