/**
 * Reads the command line of a measurement: whole numbers from 1, all of which may be left out.
 *
 * @param usage - Said where they are anything else, and for `--help`; the process ends then.
 * @param most - The largest of each, in their order.
 * @returns Those that were given.
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
