import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Bytes after gzip of everything a visit loads without the snap; 150 kB is what was asked for. */
const BUDGET = 92_000;

describe('the companion page', () => {
  it('is light', () => {
    const root = join(__dirname, '../..');
    const build = ['--import', 'tsx', 'scripts/build-page.ts', '--if-stale'];
    const said = execFileSync(process.execPath, build, { cwd: root, encoding: 'utf8' });
    const page = Number(/page (\d+) bytes gzip/u.exec(said)![1]);
    expect(page).toBeLessThan(BUDGET);
    // A page of nothing would be light, too.
    expect(page).toBeGreaterThan(30_000);
  });
});
