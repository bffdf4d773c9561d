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

/**
 * Checks that everything names the version that is released, and that the changelog describes it.
 *
 * @param changelog - Keep a Changelog.
 * @returns One sentence for each problem.
 */
export function problemsOf(changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')): string[] {
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
  ];
}
