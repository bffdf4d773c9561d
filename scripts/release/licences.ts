import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { type BuildOptions } from 'esbuild';

import { SERVICE_BUNDLE } from '../service-bundle';
import { bytesByFolder, SNAP } from '../supply-chain';
import { type PackageName, readJson, ROOT } from './packages';

/** The file of a package with the licences of what is bundled in it. */
export const LICENCES = 'THIRD-PARTY-LICENSES';

const LICENCE_FILE = /^(?:licen[cs]e|copying|notice)\b/iu;

const LIBRARY: BuildOptions = {
  entryPoints: ['src/provider/index.ts', 'src/clients/index.ts', 'src/clients/library-bundler.ts'],
  outdir: 'dist-lib',
  splitting: true,
  format: 'esm',
  platform: 'neutral',
  mainFields: ['module', 'main'],
  external: ['isows'],
};

/** What is bundled in each package. */
const BUNDLES: Readonly<Record<PackageName, readonly BuildOptions[]>> = {
  keystead: [SNAP, LIBRARY],
  'keystead-insights': [{ ...SNAP, entryPoints: ['src/snap/insights-edition/index.ts'] }],
  'keystead-service': [
    { ...SERVICE_BUNDLE, entryPoints: ['src/service/cli/main.ts'], splitting: true, outdir: 'dist-service' },
  ],
};

/** @throws If nothing says under which licence the package is. */
function licenceOf(folder: string): string {
  const { name, version, license } = readJson<{ name: string; version: string; license?: string }>(
    join(folder, 'package.json'),
  );
  const texts = readdirSync(join(ROOT, folder))
    .filter((file) => LICENCE_FILE.test(file))
    .sort()
    .map((file) => readFileSync(join(ROOT, folder, file), 'utf8').trim());
  if (texts.length === 0 && license === undefined) throw new Error(`${folder}: no licence`);
  const told = texts.length === 0 ? ['The package has no file with its licence.'] : texts;
  return [`${name} ${version}${license === undefined ? '' : ` (${license})`}`, ...told].join('\n\n');
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
