import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const page = readFileSync(join(root, 'docs/security.md'), 'utf8');
const paths = [...page.matchAll(/`((?:src|test)\/[^`]+)`/gu)].map(([, path]) => path as string);

describe('the threat model', () => {
  it('names files that exist', () => {
    expect(paths.length).toBeGreaterThan(40);
    for (const path of paths) expect({ path, exists: existsSync(join(root, path)) }).toEqual({ path, exists: true });
  });
});
