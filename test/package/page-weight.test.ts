import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Gzipped bytes of everything that a visit loads, without the snap. */
const BUDGET = 92_000;

describe('the companion page', () => {
  it('stays within its size budget', () => {
    const root = join(__dirname, '../..');
    const build = ['--import', 'tsx', 'scripts/build-page.ts', '--if-stale'];
    const output = execFileSync(process.execPath, build, { cwd: root, encoding: 'utf8' });
    const page = Number(/page (\d+) bytes gzip/u.exec(output)![1]);
    expect(page).toBeLessThan(BUDGET);
    // Guard against measuring an empty page.
    expect(page).toBeGreaterThan(30_000);
  });
});
