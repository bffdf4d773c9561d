import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { counted, type HostileCase } from '../../support/hostile/case';
import { MESSAGES } from '../../support/hostile/messages';
import { TRANSACTIONS } from '../../support/hostile/transactions';
import { TYPED_DATA } from '../../support/hostile/typed-data';
import { USER_OPERATIONS } from '../../support/hostile/user-operations';

const root = join(__dirname, '../../..');
const read = (name: string): string => readFileSync(join(root, 'docs', name), 'utf8');
const [snap, services, auditors] = [read('threats-snap.md'), read('threats-services.md'), read('auditors.md')];
const pathsIn = (text: string): string[] =>
  [...text.matchAll(/`((?:src|test)\/[^`]+)`/gu)].map(([, path]) => path as string);
const paths = pathsIn([snap, services, auditors].join('\n'));

/** The rows of all tables of a page, without heads. */
const rowsOf = (page: string): string[] =>
  page.split('\n').filter((line, at, all) => /^\|(?! ---)/u.test(line) && !/^\| ---/u.test(all[at + 1] ?? ''));

describe('the threat model', () => {
  it('names files that exist', () => {
    expect(paths.length).toBeGreaterThan(150);
    for (const path of paths) expect({ path, exists: existsSync(join(root, path)) }).toEqual({ path, exists: true });
  });

  it('has a test for each threat', () => {
    const threats = [...rowsOf(snap.split('## Hostile input')[0]!), ...rowsOf(services)];
    expect(threats.length).toBeGreaterThan(55);
    expect(threats.filter((row) => !/`test\/[^|]+ \|$/u.test(row))).toEqual([]);
  });

  it('names every fuzz test', () => {
    const tests = readdirSync(join(root, 'test/fuzz')).filter((file) => file.endsWith('.test.ts'));
    expect(tests.filter((file) => !paths.includes(`test/fuzz/${file}`))).toEqual([]);
  });

  it.each<[string, readonly HostileCase<unknown>[]]>([
    ['Messages', MESSAGES],
    ['Transactions', TRANSACTIONS],
    ['Typed data', TYPED_DATA],
    ['User operations', USER_OPERATIONS],
  ])('counts the hostile cases of the heading %s, each with a name of its own', (heading, cases) => {
    const { refused, signed, warned } = counted(cases);
    const row = snap.split('\n').find((line) => line.startsWith(`| ${heading} `));
    const [all, ...kinds] = row?.split('|').slice(2, 6).map(Number) ?? [];
    const table = `docs/threats-snap.md, the row "${heading}"`;
    expect({ table, all, kinds }).toEqual({ table, all: cases.length, kinds: [refused, signed, warned] });
    expect(refused + signed + warned).toBe(cases.length);
    expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
  });
});

describe('the page for auditors', () => {
  it('has a test for each invariant', () => {
    const [, invariants = ''] = /## Invariants\n([^]*?)\n## /u.exec(auditors) ?? [];
    const rows = rowsOf(invariants);
    expect(rows.length).toBeGreaterThan(18);
    expect(rows.map((row) => /^\| (\d+) \|/u.exec(row)?.[1])).toEqual(rows.map((_, at) => String(at + 1)));
    expect(rows.filter((row) => pathsIn(row).filter((path) => path.startsWith('test/')).length === 0)).toEqual([]);
  });

  it('names every entry point of the snap', () => {
    const exported = [...readFileSync(join(root, 'src/snap/index.ts'), 'utf8').matchAll(/^export const (on\w+)/gmu)];
    expect(exported.length).toBeGreaterThan(5);
    expect(exported.filter(([, name]) => !auditors.includes(`\`${name}\``))).toEqual([]);
  });
});
