import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { counted, type HostileCase } from '../../support/hostile/case';
import { MESSAGES } from '../../support/hostile/messages';
import { TRANSACTIONS } from '../../support/hostile/transactions';
import { TYPED_DATA } from '../../support/hostile/typed-data';
import { USER_OPERATIONS } from '../../support/hostile/user-operations';

const root = join(__dirname, '../../..');
const page = readFileSync(join(root, 'docs/security.md'), 'utf8');
const paths = [...page.matchAll(/`((?:src|test)\/[^`]+)`/gu)].map(([, path]) => path as string);

describe('the threat model', () => {
  it('names files that exist', () => {
    expect(paths.length).toBeGreaterThan(40);
    for (const path of paths) expect({ path, exists: existsSync(join(root, path)) }).toEqual({ path, exists: true });
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
    const row = page.split('\n').find((line) => line.startsWith(`| ${heading} `));
    const numbers = row?.split('|').slice(2, 6).map(Number);
    expect(numbers).toEqual([cases.length, refused, signed, warned]);
    expect(refused + signed + warned).toBe(cases.length);
    expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
  });
});
