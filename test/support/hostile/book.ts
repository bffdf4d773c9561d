import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { type Outcome } from './outcome';

const FILE = join(__dirname, '../../hostile/screens.json');
const WRITES = process.env.KEYSTEAD_WRITE_SCREENS === '1';

/** A page of the book: the lines of the screens of a request, or its error. */
type Page = readonly string[];
type Book = Record<string, Page>;

let read: Book | undefined;
const written: Book = {};

/** A sentence or label a line, so that a changed one can be found. The ports of nodes are left out. */
const pageOf = ({ error, screens }: Outcome): Page =>
  error === undefined
    ? screens.flatMap((text) => text.replaceAll(/(?<=127\.0\.0\.1):\d+/gu, '').split(/(?<=[.:?!]) /u))
    : [error.message];

/**
 * Expects that a request shows word for word what it showed when `npm run screens` was last run: whatever changes on a
 * screen is in the diff of the book, where somebody has to look at it.
 *
 * @param name - Of the request; no other has it.
 */
export function expectBooked(name: string, outcome: Outcome): void {
  const page = pageOf(outcome);
  if (WRITES) {
    if (Object.hasOwn(written, name)) throw new Error(`${name}: must be the name of one request`);
    written[name] = page;
    return;
  }
  read ??= existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Book) : {};
  expect({ name, page }).toEqual({ name, page: read[name] });
}

/** Writes the book, if that was asked for. All requests are in it then, and no others. */
export function closeBook(): void {
  if (!WRITES) return;
  const sorted = Object.entries(written).sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(sorted), null, 1)}\n`);
}
