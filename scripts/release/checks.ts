import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { readJson, ROOT, rootPackage } from './packages';

const MANIFESTS = ['snap.manifest.json', 'snap.manifest.insights.json'] as const;

/** The entries below a heading of the changelog, or undefined if it has no such heading. */
function entriesOf(changelog: string, heading: string): string | undefined {
  const [, after] = changelog.split(`\n## [${heading}]`);
  const [, ...lines] = after?.split('\n## ')[0]?.split('\n') ?? [];
  return after === undefined ? undefined : lines.filter((line) => line.startsWith('- ')).join('\n');
}

/** What is released. */
type Released = {
  /** Keep a Changelog. */
  readonly changelog: string;
  /** The repository that `package.json` names. */
  readonly repository: { readonly url: string } | undefined;
  /** What `git status --porcelain` prints, or undefined if this is no clone. */
  readonly changes: string | undefined;
};

function released(): Released {
  const { status, stdout } = spawnSync('git', ['status', '--porcelain'], { cwd: ROOT, encoding: 'utf8' });
  return {
    changelog: readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'),
    repository: rootPackage().repository,
    changes: status === 0 ? stdout : undefined,
  };
}

const problemsOfClone = (changes: string | undefined): string[] => {
  if (changes === undefined) return ['this is no clone of the repository'];
  return changes === '' ? [] : ['the clone has changes that are not committed'];
};

/**
 * Checks that everything names the version that is released, that the changelog describes it, that it is what was
 * committed, and that npm can say where it comes from.
 *
 * @returns One sentence for each problem.
 */
export function problemsOf({ changelog, repository, changes } = released()): string[] {
  const { version } = rootPackage();
  const others = MANIFESTS.map((path) => [path, readJson<{ version: string }>(path).version] as const).filter(
    ([, other]) => other !== version,
  );
  return [
    ...others.map(([path, other]) => `${path} has version ${other}, package.json ${version}`),
    ...((entriesOf(changelog, version) ?? '') === '' ? [`CHANGELOG.md has no entries for ${version}`] : []),
    ...((entriesOf(changelog, 'Unreleased') ?? '') === ''
      ? []
      : ['CHANGELOG.md has entries under Unreleased: give them a version']),
    ...(repository === undefined ? ['package.json names no repository, which npm requires for provenance'] : []),
    ...problemsOfClone(changes),
  ];
}
