import { readFileSync, writeFileSync } from 'node:fs';

/** The program's input. */
export const input = <T>(): T => JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as T;

/** Writes the result and exits, even if something it started still runs. */
export function finish(answer: unknown): never {
  writeFileSync(process.argv[3] ?? '', JSON.stringify(answer));
  process.exit(0);
}
