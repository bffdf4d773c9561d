import { readFileSync, writeFileSync } from 'node:fs';

/** What the program was asked. */
export const input = <T>(): T => JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as T;

/** Hands the answer over, and ends the program: what it has started may still run. */
export function finish(answer: unknown): never {
  writeFileSync(process.argv[3] ?? '', JSON.stringify(answer));
  process.exit(0);
}
