import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const listed = new Map(
  [...read('docs/reference/supply-chain.md').matchAll(/^\| `([^`]+)`\s*\| ([^ |]+)/gmu)].map(([, name, version]) => [
    name,
    version,
  ]),
);
const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, { version?: string }> };
const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };

describe('the page of what runs', () => {
  it('lists every dependency, in the version that is installed', () => {
    for (const [name, version] of Object.entries(dependencies))
      expect({ name, version: listed.get(name) }).toEqual({ name, version });
  });

  it('lists nothing in another version than the lock has', () => {
    expect(listed.size).toBeGreaterThanOrEqual(Object.keys(dependencies).length);
    for (const [name, version] of listed)
      expect({ name, version }).toEqual({ name, version: packages[`node_modules/${name}`]?.version });
  });
});
