/**
 * Reads the command line of a measurement: whole numbers from 1, all optional.
 *
 * @param usage - Printed on invalid input and for `--help`; the process then exits.
 * @param most - The maximum of each, in order.
 * @returns The given numbers.
 */
export function numbers(usage: string, ...most: readonly number[]): readonly number[] {
  const args = process.argv.slice(2);
  const isHelp = args.includes('--help');
  const isSound = (text: string, index: number): boolean =>
    /^[1-9]\d*$/u.test(text) && Number(text) <= (most[index] ?? 0);
  if (!isHelp && args.every(isSound)) return args.map(Number);
  console.error(usage);
  process.exit(isHelp ? 0 : 1);
}
