import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { problemsOf } from './checks';
import { LICENCES, licencesOf } from './licences';
import { assemble, PACKAGE_NAMES, RELEASE, ROOT } from './packages';

const USAGE = `Usage: npm run release -- [--dry-run]

Builds, checks and packs the packages, and publishes them. With --dry-run it publishes nothing, and tells everything that
would stop a release.`;

/** What `npm pack --json` prints about a package. */
type Packed = {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly size: number }[];
};

const npm = (args: readonly string[], cwd = ROOT): string =>
  execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

const sha256 = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');

/** Files of which a package has many, which are told as one line. */
const MANY = /^(?<folder>contract-metadata|dist-service\/chunks|lib\/parts)\//u;

/** @returns The contents of a package, one line a file or folder of many: its bytes and its path. */
function contentsOf({ files }: Packed): string[] {
  const sizes = new Map<string, { bytes: number; count: number }>();
  for (const { path, size } of files) {
    const folder = MANY.exec(path)?.groups?.['folder'];
    const place = folder === undefined ? path : `${folder}/`;
    const { bytes, count } = sizes.get(place) ?? { bytes: 0, count: 0 };
    sizes.set(place, { bytes: bytes + size, count: count + 1 });
  }
  return [...sizes].map(
    ([place, { bytes, count }]) =>
      `${String(bytes).padStart(10)}  ${place}${place.endsWith('/') ? ` (${count} files)` : ''}`,
  );
}

/** Packs an assembled package, and prints its contents, sizes and checksum. @returns The tarball's path. */
function pack(folder: string): string {
  const [packed] = JSON.parse(npm(['pack', '--json', '--ignore-scripts', '--pack-destination', RELEASE, folder])) as [
    Packed,
  ];
  const tarball = join(RELEASE, packed.filename);
  console.log(
    `\n${packed.filename}  ${packed.size} bytes, unpacked ${packed.unpackedSize}, ${packed.files.length} files`,
  );
  console.log(contentsOf(packed).join('\n'));
  console.log(`SHA-256 ${sha256(tarball)}`);
  return tarball;
}

const options = process.argv.slice(2);
const isDryRun = options.includes('--dry-run');
const unknown = options.filter((option) => option !== '--dry-run');
if (unknown.length > 0) {
  console.error(`error: unknown option '${unknown.join(' ')}'\n\n${USAGE}`);
  process.exit(1);
}

const problems = problemsOf();
if (problems.length > 0 && !isDryRun) {
  console.error(`Nothing was published:\n${problems.map((problem) => `- ${problem}`).join('\n')}`);
  process.exit(1);
}

// What was built from the same sources is the same.
for (const script of ['build:snaps', 'build:lib']) npm(['run', '--silent', script, '--', '--if-stale']);
npm(['run', '--silent', 'build:service']);
const tarballs: string[] = [];
for (const name of PACKAGE_NAMES) {
  const folder = assemble(name);
  writeFileSync(join(folder, LICENCES), await licencesOf(name));
  tarballs.push(pack(folder));
}
const sums = tarballs.map((path) => `${sha256(path)}  ${relative(RELEASE, path)}\n`).join('');
writeFileSync(join(RELEASE, 'SHA256SUMS'), sums);
console.log(`\n${relative(ROOT, RELEASE)}/SHA256SUMS`);

if (isDryRun) {
  console.log(
    problems.length === 0
      ? '\nNothing was published (--dry-run). Nothing stops a release.'
      : `\nNothing was published (--dry-run). Before a release:\n${problems.map((problem) => `- ${problem}`).join('\n')}`,
  );
} else for (const tarball of tarballs) npm(['publish', tarball, '--access', 'public', '--provenance']);
