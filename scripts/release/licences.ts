import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { type BuildOptions } from 'esbuild';

import { LIBRARY_BUNDLE } from '../library-bundle';
import { SERVICE_PROGRAM } from '../service-bundle';
import { bytesByFolder, NO_LICENCE, packageAt, SNAP } from '../supply-chain';
import { type PackageName, ROOT } from './packages';

/** The file of a package with the licences of what is bundled in it. */
export const LICENCES = 'THIRD-PARTY-LICENSES';

const LICENCE_FILE = /^(?:licen[cs]e|copying|notice)\b/iu;

/** What is bundled in each package. */
const BUNDLES: Readonly<Record<PackageName, readonly BuildOptions[]>> = {
  keystead: [SNAP, LIBRARY_BUNDLE],
  'keystead-insights': [{ ...SNAP, entryPoints: ['src/snap/insights/index.ts'] }],
  'keystead-service': [SERVICE_PROGRAM],
};

/** @throws If nothing says under which licence the package is. */
function licenceOf(folder: string): string {
  const { name, version, license } = packageAt(folder);
  const texts = readdirSync(join(ROOT, folder))
    .filter((file) => LICENCE_FILE.test(file))
    .sort()
    .map((file) => readFileSync(join(ROOT, folder, file), 'utf8').trim());
  if (texts.length === 0 && license === NO_LICENCE) throw new Error(`${folder}: no licence`);
  const told = texts.length === 0 ? ['The package has no file with its licence.'] : texts;
  return [`${name} ${version} (${license})`, ...told].join('\n\n');
}

/**
 * The licences of the packages that are bundled in one of ours, which most of them require in copies.
 *
 * @throws If one of them has none.
 */
export async function licencesOf(name: PackageName): Promise<string> {
  const bundles = await Promise.all(BUNDLES[name].map(bytesByFolder));
  const folders = new Set(bundles.flatMap((bytes) => [...bytes.keys()]));
  folders.delete('');
  const texts = [...folders].sort().map(licenceOf);
  return `${[`${name} contains code of these packages.`, ...texts].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}
