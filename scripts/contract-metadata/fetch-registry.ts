import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

import { format } from 'oxfmt';

import { ARCHIVE, FOLDER, PIN } from './archive';

const LICENCE = 'LICENSE.md';
/** Descriptors, what they include, their rendering tests and the schemas; not the attestations and the older tests. */
const WANTED = /^(?:(?:registry|ercs)\/(?!.*\/(?:sigs|tests)\/).*\.json|specs\/.*\.schema\.json)$/u;

/**
 * Makes the archive of the registry again, from the pinned commit.
 *
 * Usage: npm run registry:fetch [-- <commit> [<repository>]]
 */
const [commit = PIN.commit, repository = PIN.repository] = process.argv.slice(2);

const clone = mkdtempSync(join(tmpdir(), 'keystead-registry-'));
try {
  const git = (...args: string[]): string =>
    execFileSync('git', ['-C', clone, ...args], { encoding: 'utf8', maxBuffer: 2 ** 26 });
  git('init', '--quiet', '--bare');
  git('fetch', '--quiet', '--depth', '1', repository, commit);
  const paths = git('ls-tree', '-r', '--name-only', '-z', commit).split('\0');
  const files = paths.filter((path) => WANTED.test(path)).sort();
  const text = JSON.stringify(Object.fromEntries(files.map((path) => [path, git('show', `${commit}:${path}`)])));
  const archive = brotliCompressSync(text, {
    params: { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS },
  });
  const sha256 = createHash('sha256').update(text).digest('hex');
  writeFileSync(ARCHIVE, archive);
  writeFileSync(join(FOLDER, 'LICENSE'), git('show', `${commit}:${LICENCE}`));
  const pin = JSON.stringify({ repository: PIN.repository, commit, sha256 });
  writeFileSync(join(FOLDER, 'pin.json'), (await format('pin.json', pin)).code);
  console.log(
    `${files.length} files at ${commit}: ${text.length} characters, ${archive.length} bytes, SHA-256 ${sha256}`,
  );
} finally {
  rmSync(clone, { recursive: true });
}
