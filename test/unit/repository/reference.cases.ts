import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { errorsIn, errorsPage } from '../../../scripts/reference/errors-page';
import { methodsPage } from '../../../scripts/reference/methods-page';
import { SITE_READS } from '../../../src/core/methods/node-reads';
import { KEYRING_METHODS, MANAGEMENT_METHODS } from '../../../src/core/methods/own';
import { SITE_METHODS } from '../../../src/core/methods/sites';

const root = join(__dirname, '../../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

describe('the pages that are made from the code (npm run reference)', () => {
  it.each([
    ['errors.md', errorsPage],
    ['methods.md', methodsPage],
  ])('%s is of this code', (name, page) => {
    expect(read(`docs/reference/${name}`)).toBe(page());
  });

  it('have every error, each with a sentence', () => {
    const source = read('src/core/errors.ts');
    const codes = [...source.matchAll(/^ {2}readonly code = '([^']+)';/gmu)].map(([, code]) => code);
    const [, table = ''] = /const PROVIDER_CODES = \{\n([^]*?)\} as const/u.exec(source) ?? [];
    const standards = [...table.matchAll(/^ {2}'?([\w-]+)'?: -?\d+,/gmu)].map(([, code]) => code);
    const rows = errorsIn(source);
    expect([codes.length, standards.length]).toEqual([12, 14]);
    expect(rows.map(({ code }) => code).sort()).toEqual([...codes, ...standards].sort());
    expect(rows.filter(({ when }) => !/^[A-Z].*\.$/u.test(when))).toEqual([]);
  });

  it('have no error that has no sentence behind its number', () => {
    expect(errorsIn('const PROVIDER_CODES = {\n  disconnected: 4900,\n} as const')).toEqual([]);
  });

  it('have every method of a site, and the other methods have a page', () => {
    const untold = (page: string, methods: readonly string[]) => methods.filter((name) => !page.includes(`\`${name}`));
    expect(untold(methodsPage(), [...Object.keys(SITE_METHODS), ...SITE_READS])).toEqual([]);
    expect(untold(read('docs/keyring.md'), Object.keys(KEYRING_METHODS))).toEqual([]);
    const managing = ['management', 'networks', 'backup'].map((name) => read(`docs/${name}.md`)).join('');
    expect(untold(managing, Object.keys(MANAGEMENT_METHODS))).toEqual([]);
  });
});
