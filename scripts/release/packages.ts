import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { SERVICE_BUNDLE } from '../service-bundle';

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** Where the packages are assembled and packed. */
export const RELEASE = join(ROOT, 'release');

/** A path of the repository, and where it goes in the package. A folder is copied with what is in it. */
type Part = readonly [from: string, to: string];

/**
 * Every package that is published, with what the build makes for it. Its own manifest and README are in `packages/`.
 */
export const PACKAGES = {
  keystead: [
    ['dist', '.'],
    ['dist-lib', 'lib'],
  ],
  'keystead-insights': [['dist-insights', '.']],
  'keystead-service': [
    ['bin', 'bin'],
    ['dist-service', 'dist-service'],
  ],
} as const satisfies Record<string, readonly Part[]>;

export type PackageName = keyof typeof PACKAGES;

export const PACKAGE_NAMES = Object.keys(PACKAGES) as PackageName[];

/** The package of the repository: version and dependencies are named only there. */
type RootPackage = {
  readonly version: string;
  readonly license: string;
  /** npm requires it for provenance. Only its owner can name it. */
  readonly repository?: { readonly type: string; readonly url: string };
  readonly engines: { readonly node: string };
  readonly dependencies: Readonly<Record<string, string>>;
};

export const readJson = <T>(path: string): T => JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as T;

export const rootPackage = (): RootPackage => readJson<RootPackage>('package.json');

/**
 * Puts a package together from what `npm run build` made.
 *
 * @returns Its folder, which is published as it is.
 */
export function assemble(name: PackageName): string {
  const folder = join(RELEASE, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  // The stamp of a build says what it was made from, in this repository.
  const filter = (path: string): boolean => basename(path) !== '.inputs';
  for (const [from, to] of PACKAGES[name]) cpSync(join(ROOT, from), join(folder, to), { recursive: true, filter });
  for (const file of ['LICENSE', 'CHANGELOG.md']) cpSync(join(ROOT, file), join(folder, file));
  cpSync(join(ROOT, 'packages', name, 'README.md'), join(folder, 'README.md'));
  const { version, license, repository, engines, dependencies } = rootPackage();
  const own = readJson<object>(`packages/${name}/package.json`);
  const loaded = SERVICE_BUNDLE.external.map((one) => [one, dependencies[one]] as const);
  const written = {
    ...own,
    version,
    license,
    repository,
    ...(name === 'keystead-service' && { engines, dependencies: Object.fromEntries(loaded) }),
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(written, null, 2)}\n`);
  return folder;
}
