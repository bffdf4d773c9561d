import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Gzipped bytes of what the first screen loads, and of all views together; both with the wallet, without the snap. */
const FIRST_SCREEN = 82_000;
const ALL_VIEWS = 245_000;

describe('the companion page', () => {
  it('stays within its size budget', () => {
    const root = join(__dirname, '../..');
    const build = ['--import', 'tsx', 'scripts/build-page.ts', '--if-stale'];
    const output = execFileSync(process.execPath, build, { cwd: root, encoding: 'utf8' });
    const [, first, all] = /first screen (\d+) bytes gzip, all views (\d+)/u.exec(output)!.map(Number);
    expect(first).toBeLessThan(FIRST_SCREEN);
    expect(all).toBeLessThan(ALL_VIEWS);
    // Guard against measuring an empty page.
    expect(first).toBeGreaterThan(30_000);
    expect(all! - first!).toBeGreaterThan(30_000);
  });
});
