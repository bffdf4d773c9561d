import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ATTACK_TESTS } from '../../support/attack-tests';

const root = join(__dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const page = read('docs/attacks.md');

/** Each row of the tables: the attack, and the file of its test. */
const rows = [...page.matchAll(/^\|.* \| ([^|]+) \| `([^`]+)` \|$/gmu)].map(([, attack = '', file = '']) => ({
  attack,
  file,
}));

describe('the page of attacks', () => {
  it('has a test for each line', () => {
    const lines = page.split('\n').filter((line) => line.startsWith('|') && !/^\| (?:#|Who|-)/u.test(line));
    expect(rows).toHaveLength(lines.length);
    expect(rows.length).toBeGreaterThan(40);
    expect(rows).toEqual(ATTACK_TESTS.map(([attack, file]) => ({ attack, file })));
  });

  it.each(ATTACK_TESTS)('%s: its test exists', (_attack, path, name) => {
    const quotes = [`'${name.replaceAll("'", "\\'")}'`, `"${name}"`, `\`${name}\``];
    const file = `test/service/${path}`;
    const source = read(file);
    expect([file, name, quotes.some((each) => source.includes(each))]).toEqual([file, name, true]);
  });

  it('has every attack of the benchmark, and every row of the former list', () => {
    const table = /const ATTACKS = \{([^}]*)\}/u.exec(read('bench/service/abuse.ts'))?.[1] ?? '';
    const measured = [...table.matchAll(/'([^']+)':/gu)].map(([, name]) => name);
    expect(measured.length).toBeGreaterThan(15);
    expect(measured.filter((name) => !rows.some(({ attack }) => attack === name))).toEqual([]);
    const [, former = ''] = page.split('\n## ');
    const numbers = [...former.matchAll(/^\| (\d+) /gmu)].map(([, number]) => Number(number));
    expect(new Set(numbers)).toEqual(new Set(Array.from({ length: 11 }, (_, i) => i + 1)));
  });
});
