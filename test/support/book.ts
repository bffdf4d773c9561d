import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const WRITES = process.env.KEYSTEAD_WRITE_SCREENS === '1';

type Pages = Record<string, readonly string[]>;

/**
 * What the requests of a kind of test show, word for word, when `npm run screens` was last run. Whatever changes on a
 * screen is in the diff of the book, where somebody has to look at it.
 */
export class Book {
  readonly #path: string;
  readonly #written: Pages = {};
  #read: Pages | undefined;

  /** @param file - From the folder of tests. */
  constructor(file: string) {
    this.#path = join(__dirname, '..', file);
  }

  /**
   * Expects that a request shows what it showed.
   *
   * @param name - Of the request; no other has it.
   * @param lines - What it shows. The ports of nodes are left out.
   */
  expect(name: string, lines: readonly string[]): void {
    const page = lines.map((line) => line.replaceAll(/(?<=127\.0\.0\.1):\d+/gu, ''));
    if (WRITES) {
      if (Object.hasOwn(this.#written, name)) throw new Error(`${name}: must be the name of one request`);
      this.#written[name] = page;
      return;
    }
    this.#read ??= existsSync(this.#path) ? (JSON.parse(readFileSync(this.#path, 'utf8')) as Pages) : {};
    expect({ name, page }).toEqual({ name, page: this.#read[name] });
  }

  /** Writes the book, if that was asked for: after all requests, since no others are in it then. */
  close(): void {
    if (!WRITES) return;
    const sorted = Object.entries(this.#written).sort(([a], [b]) => (a < b ? -1 : 1));
    writeFileSync(this.#path, `${JSON.stringify(Object.fromEntries(sorted), null, 1)}\n`);
  }
}
