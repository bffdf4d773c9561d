import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

/** Where the companion page is built. */
export const PAGE_FOLDER = join(resolve(dirname(fileURLToPath(import.meta.url)), '..'), 'dist-page');

/** A file with the names of the scripts that the first screen loads. */
export const FIRST_SCREEN = join(PAGE_FOLDER, '.first-screen');

/**
 * @returns Gzipped bytes of what the first screen of the built page loads, of all views, and of the execution
 * environment that is loaded with a snap.
 */
export function pageWeight(): { first: number; all: number; executor: number } {
  const sum = (names: readonly string[]): number =>
    names.reduce((bytes, name) => bytes + gzipSync(readFileSync(join(PAGE_FOLDER, name)), { level: 9 }).length, 0);
  const others = ['index.html', 'wallet.js', 'page.css', 'icon.svg'];
  return {
    first: sum([...others, ...readFileSync(FIRST_SCREEN, 'utf8').split('\n')]),
    all: sum([...others, ...readdirSync(PAGE_FOLDER).filter((name) => /^page.*\.js$/u.test(name))]),
    executor: sum(['executor/index.html', 'executor/bundle.js']),
  };
}
