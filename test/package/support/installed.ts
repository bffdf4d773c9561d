import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

export const REPOSITORY = resolve(__dirname, '../../..');

/** A project that has installed the package, and the package in it. */
export type Installed = {
  readonly project: string;
  readonly folder: string;
  /** Every file of the package, as paths in it. */
  readonly files: readonly string[];
  readonly remove: () => void;
};

/** @returns What the program printed. @throws With it if the program failed. */
export function run(program: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${String(status)}\n${stdout}\n${stderr}`);
  return stdout;
}

/** Makes a package of the repository available to a project under its name. */
function link(project: string, name: string): void {
  const place = join(project, 'node_modules', name);
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(join(REPOSITORY, 'node_modules', name), place, 'junction');
}

/**
 * Builds and packs the package (`npm pack`) and installs the tarball in an empty project. Its declared dependencies are
 * those of the repository, without a network; what it does not declare, it does not find.
 *
 * @param others - Further packages that the project has.
 */
export function installPacked(others: readonly string[] = []): Installed {
  for (const script of ['build:service', 'build:lib']) run('npm', ['run', '--silent', script], REPOSITORY);
  const project = mkdtempSync(join(tmpdir(), 'keystead-consumer-'));
  const [packed] = JSON.parse(
    run('npm', ['pack', '--json', '--silent', '--pack-destination', project], REPOSITORY),
  ) as [{ filename: string; files: { path: string }[] }];
  run('tar', ['-xzf', packed.filename], project);
  const folder = join(project, 'node_modules/keystead');
  mkdirSync(dirname(folder));
  renameSync(join(project, 'package'), folder);
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  for (const name of [...Object.keys(dependencies), ...others]) link(project, name);
  return {
    project,
    folder,
    files: packed.files.map(({ path }) => path),
    remove: () => {
      rmSync(project, { recursive: true, force: true });
    },
  };
}
