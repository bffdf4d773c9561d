/*
 * Shows the current measurement, since a table may take minutes. On stderr, so that the tables can be redirected to a
 * file; on a terminal in a single line.
 */

const CLEAR = '\r\u001b[K';

let isShown = false;

/** Clears the line of the last step before other output. */
export function endSteps(): void {
  if (isShown) process.stderr.write(CLEAR);
  isShown = false;
}

/**
 * Shows the next measurement.
 *
 * @param what - In a few words.
 * @param at - Its index, from 0, and the number of measurements.
 */
export function step(what: string, at: readonly [index: number, count: number]): void {
  const text = `  ${at[0] + 1} of ${at[1]}: ${what}`;
  const { stderr } = process;
  if (!stderr.isTTY) {
    stderr.write(`${text}\n`);
    return;
  }
  // A wrapped line would leave its first part behind.
  stderr.write(`${CLEAR}${text.slice(0, Math.max(1, stderr.columns - 1))}`);
  isShown = true;
}
