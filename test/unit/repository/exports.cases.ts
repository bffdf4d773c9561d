import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const packages = join(__dirname, '../../../packages');

describe('the published packages', () => {
  it.each(readdirSync(packages))('%s exports its main file, if it has both', (name) => {
    const { main, exports } = JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8')) as {
      readonly main?: string;
      readonly exports?: Readonly<Record<string, unknown>>;
    };
    // Node and bundlers ignore `main` beside `exports`.
    if (main !== undefined && exports !== undefined) expect(exports['.']).toBe(`./${main}`);
    expect(name).toMatch(/^keystead/u);
  });
});
