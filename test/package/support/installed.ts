import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

export const REPOSITORY = resolve(__dirname, '../../..');

/** A project with the package installed in it. */
export type Installed = {
  readonly project: string;
  readonly folder: string;
  /** The paths of all files, relative to the package. */
  readonly files: readonly string[];
  readonly remove: () => void;
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

/**
 * Builds and packs the package (`npm pack`) and installs the tarball in an empty project. Declared dependencies are linked
 * from the repository, without a network; undeclared ones are missing.
 *
 * @param others - More packages to link into the project.
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
