import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(__dirname, '../../..');

/** Files that break a law of the admission room, with the name of the law; and some that break none. */
const FILES: Readonly<Record<string, readonly [text: string, law?: string]>> = {
  'src/service/admission/uncharged.ts': ['export const uncharged = 1;'],
  'src/service/admission/turns.ts': ['export const turns = 1;'],
  'src/service/storage/api/free.ts': ["import '../../admission/uncharged';", 'charged'],
  'src/service/chain/free.ts': ["import '../admission/uncharged';", 'charged'],
  'src/service/storage/cli/operator.ts': ["import '../../admission/uncharged';"],
  'src/service/chain/own-turns.ts': ["import '../admission/turns';", 'counted-in-one-room'],
  'src/service/storage/api/own-file.ts': ["import 'node:fs';", 'files-are-opened-by-the-store'],
  'src/service/storage/gateway/own-hash.ts': ["import 'node:crypto';", 'files-are-opened-by-the-store'],
  'src/service/storage/store/file.ts': ["import 'node:fs';"],
};

type Violation = { readonly from: string; readonly rule: { readonly name: string } };

describe('the import laws of the admission room', () => {
  it('refuse what opens or counts something without it, and nothing else', () => {
    const folder = mkdtempSync(join(tmpdir(), 'import-laws-'));
    try {
      for (const [path, [text]] of Object.entries(FILES)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), `${text}\n`);
      }
      copyFileSync(join(ROOT, 'tsconfig.json'), join(folder, 'tsconfig.json'));
      symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
      const cruise = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
      const options = ['--config', join(ROOT, '.dependency-cruiser.cjs'), '--output-type', 'json', 'src'];
      const { stdout, stderr } = spawnSync(process.execPath, [cruise, ...options], { cwd: folder, encoding: 'utf8' });
      expect(stderr).toBe('');
      const { summary } = JSON.parse(stdout) as { summary: { violations: readonly Violation[] } };
      const laws = ['charged', 'counted-in-one-room', 'files-are-opened-by-the-store'];
      const found = summary.violations.flatMap(({ from, rule }) =>
        laws.includes(rule.name) ? [[from, rule.name]] : [],
      );
      const expected = Object.entries(FILES).flatMap(([path, [, law]]) => (law === undefined ? [] : [[path, law]]));
      expect(found.sort()).toEqual(expected.sort());
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
