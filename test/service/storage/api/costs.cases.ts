import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COSTED_ROUTES, costsPage } from '../../../../scripts/reference/costs-page';
import { COSTS, OF_EVERY_REQUEST } from '../../../../src/service/costs';

const ROOT = join(__dirname, '../../../..');

describe('the table of costs', () => {
  test('has a line for every route, which names costs that exist', () => {
    expect(COSTED_ROUTES.filter(([, costs]) => costs === undefined)).toEqual([]);
    expect(COSTED_ROUTES.length).toBeGreaterThan(60);
    for (const [route, costs = []] of COSTED_ROUTES)
      expect([route, costs.filter((name) => !Object.hasOwn(COSTS, name))]).toEqual([route, []]);
  });

  test('has no cost that no route can cause, and a test for each that exists', () => {
    const used = new Set([...OF_EVERY_REQUEST, ...COSTED_ROUTES.flatMap(([, costs = []]) => costs)]);
    expect(Object.keys(COSTS).filter((name) => !used.has(name as never))).toEqual([]);
    for (const [name, { test: path }] of Object.entries(COSTS))
      expect([name, existsSync(join(ROOT, path))]).toEqual([name, true]);
  });

  test('is the one in the docs (npm run reference)', () => {
    expect(readFileSync(join(ROOT, 'docs/reference/costs.md'), 'utf8')).toBe(costsPage());
  });
});
