import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../..');

const NOT_OURS = ['node_modules', 'fixtures', 'data', 'consumer'];

const sourcesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return NOT_OURS.includes(entry.name) ? [] : sourcesIn(path);
    return /\.(?:[cm]?ts|tsx|mjs)$/u.test(path) ? [path] : [];
  });

/** @returns Each line that the rule does not allow, with its place. */
const faults = (folders: readonly string[], isFault: (line: string) => boolean): string[] =>
  folders.flatMap(sourcesIn).flatMap((path) =>
    readFileSync(join(ROOT, path), 'utf8')
      .split('\n')
      .flatMap((line, at) => (isFault(line) ? [`${path}:${at + 1}: ${line.trim()}`] : [])),
  );

/** The formatter wraps code, but not comments. Code and addresses in them stay whole. */
const isLongComment = (line: string): boolean =>
  line.length > 120 && /^\s*(?:\/?\*|\/\/)/u.test(line) && !line.includes('://') && !/^ *\* const /u.test(line);

describe('the sources', () => {
  it('have comments of at most 120 columns', () => {
    expect(isLongComment(`  // ${'x'.repeat(120)}`)).toBe(true);
    expect(faults(['src', 'test', 'bench', 'scripts'], isLongComment)).toEqual([]);
  });

  it('pass the time to pure code', () => {
    const readsClock = (line: string) => /\bnew Date\(\s*\)/u.test(line);
    expect(readsClock('const now = new Date();')).toBe(true);
    expect(faults(['src/core'], readsClock)).toEqual([]);
  });
});
