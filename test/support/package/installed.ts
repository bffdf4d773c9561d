import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

export const REPOSITORY = resolve(__dirname, '../../..');
const RELEASE = join(REPOSITORY, 'release');

export const PACKAGE_NAMES = ['keystead', 'keystead-insights', 'keystead-service'] as const;
type PackageName = (typeof PACKAGE_NAMES)[number];

const { version } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as { version: string };

/** An empty project in which the packages are installed. */
export type Installed = {
  readonly project: string;
  /** The installed `keystead`: the snap and the library. */
  readonly folder: string;
  /** The installed `keystead-service`. */
  readonly service: string;
  /** The packed packages. */
  readonly tarballs: Readonly<Record<PackageName, Tarball>>;
  /** What the release said. */
  readonly said: string;
  readonly remove: () => void;
};

type Tarball = {
  readonly path: string;
  /** The paths of all files, relative to the package. */
  readonly files: readonly string[];
};

/** @returns The program's output. @throws An error with the output if the program fails. */
export function run(program: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${String(status)}\n${stdout}\n${stderr}`);
  return stdout;
}

/** Links a package of the repository into the project. */
function link(project: string, name: string): void {
  const place = join(project, 'node_modules', name);
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(join(REPOSITORY, 'node_modules', name), place, 'junction');
}

/** @returns The files of a tarball that npm packed, whose folder is `package`. */
const filesIn = (tarball: string): string[] =>
  run('tar', ['-tzf', tarball], REPOSITORY)
    .split('\n')
    .flatMap((path) => (path.startsWith('package/') ? [path.slice('package/'.length)] : []));

/**
 * Makes the packages as a release does, and installs them in an empty project. Declared dependencies are linked from
 * the repository, without a network; undeclared ones are missing.
 *
 * @param others - More packages to link into the project.
 */
export function installPacked(others: readonly string[] = []): Installed {
  const said = run('npm', ['run', '--silent', 'release', '--', '--dry-run'], REPOSITORY);
  const project = mkdtempSync(join(tmpdir(), 'keystead-consumer-'));
  const linked = new Set(others);
  const install = (name: PackageName): [PackageName, Tarball] => {
    const path = join(RELEASE, `${name}-${version}.tgz`);
    run('tar', ['-xzf', path], project);
    const folder = join(project, 'node_modules', name);
    mkdirSync(dirname(folder), { recursive: true });
    renameSync(join(project, 'package'), folder);
    const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      dependencies?: Record<string, string>;
    };
    for (const dependency of Object.keys(dependencies)) linked.add(dependency);
    return [name, { path, files: filesIn(path) }];
  };
  const tarballs = Object.fromEntries(PACKAGE_NAMES.map(install)) as Record<PackageName, Tarball>;
  for (const name of linked) link(project, name);
  return {
    project,
    folder: join(project, 'node_modules/keystead'),
    service: join(project, 'node_modules/keystead-service'),
    tarballs,
    said,
    remove: () => {
      rmSync(project, { recursive: true, force: true });
    },
  };
}
