import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const read = (path: string) => readFileSync(join(__dirname, '../../..', path), 'utf8');
const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read('package.json')) as Record<
  'dependencies' | 'devDependencies' | 'optionalDependencies',
  Record<string, string>
>;

describe('the packages', () => {
  it('are pinned exactly', () => {
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })) {
      expect({ name, exact: /^(?:npm:(?:@[\w-]+\/)?[\w-]+@)?\d+\.\d+\.\d+$/u.test(version) }).toEqual({
        name,
        exact: true,
      });
    }
  });

  it('are locked by content, not by address', () => {
    const lock = read('package-lock.json');
    expect(lock).not.toContain('"resolved"');
    expect(lock.match(/"integrity"/gu)?.length).toBeGreaterThan(500);
  });
});
