import { cpSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';

import { checksumOf, type Manifest, manifestOf } from './manifest';
import { freeName, OURS, pathOf, PEERS } from './names';

/** Built snaps that were given by hand. */
export type Given = {
  /** Their folders, by name. */
  readonly folders: Readonly<Record<string, string>>;
  /** What a reader of their figures must know. */
  readonly notes: readonly string[];
};

const hasManifest = (folder: string): boolean => existsSync(join(folder, 'snap.manifest.json'));

/** @returns The folder with the manifest: the one that was given, the snap of a repository, or the package around a `dist`. */
function packageFolder(given: string): string {
  const folder = resolve(given);
  if (!existsSync(folder) || !statSync(folder).isDirectory()) throw new Error(`--snap ${given}: is not a folder`);
  const found = [folder, join(folder, 'packages/snap'), dirname(folder)].find(hasManifest);
  if (found === undefined)
    throw new Error(`--snap ${given}: must be the folder of a built snap, with its snap.manifest.json`);
  return found;
}

/** @throws If the manifest is not that of a keyring, or its bundle is not there. */
function checkedManifest(given: string, folder: string): Manifest {
  let manifest: Manifest;
  try {
    manifest = manifestOf(folder);
  } catch {
    throw new Error(`--snap ${given}: snap.manifest.json must be JSON`);
  }
  // Of a file that somebody wrote: what is read here need not be there.
  const { source, initialPermissions } = manifest as { [Name in keyof Manifest]?: Partial<Manifest[Name]> };
  const bundle = source?.location?.npm.filePath;
  if (typeof bundle !== 'string')
    throw new Error(`--snap ${given}: snap.manifest.json must name the bundle in source.location.npm.filePath`);
  if (initialPermissions?.['endowment:keyring'] === undefined)
    throw new Error(`--snap ${given}: must be a keyring, with endowment:keyring in its manifest`);
  if (!existsSync(join(folder, bundle)))
    throw new Error(`--snap ${given}: ${join(folder, bundle)} must be there; build the snap first (mm-snap build)`);
  return manifest;
}

/** Copies what a wallet loads of a snap into another folder, with the checksum that its files have. */
async function correct(folder: string, manifest: Manifest, copy: string): Promise<void> {
  const { files = [], locales = [], location } = manifest.source;
  const { iconPath, ...npm } = location.npm;
  const hasIcon = iconPath !== undefined && existsSync(join(folder, iconPath));
  for (const path of [npm.filePath, ...(hasIcon ? [iconPath] : []), ...files, ...locales])
    cpSync(join(folder, path), join(copy, path));
  // Any checksum will do to compute the right one, if only it has the form of one.
  const source = { ...manifest.source, shasum: `${'A'.repeat(43)}=`, location: { npm: hasIcon ? location.npm : npm } };
  const shasum = await checksumOf(copy, { ...manifest, source });
  writeFileSync(join(copy, 'snap.manifest.json'), JSON.stringify({ ...manifest, source: { ...source, shasum } }));
}

/**
 * Finds the snaps that were given by hand, and gives each a name: that of its package, with a number where two have
 * the same. A snap whose checksum is not that of its files is measured all the same, from a copy.
 *
 * @param paths - Folders with a `snap.manifest.json`; or the `dist` within one; or a repository with the snap in
 *   `packages/snap`.
 * @throws If one of them is no built keyring. The message names the option, the folder and what is wrong.
 */
export async function givenSnaps(paths: readonly string[]): Promise<Given> {
  const folders: Record<string, string> = {};
  const notes: string[] = [];
  for (const given of paths) {
    const folder = packageFolder(given);
    const manifest = checkedManifest(given, folder);
    const packageName = manifest.source.location.npm.packageName ?? basename(folder);
    const name = freeName(pathOf(packageName.replace(/^@[^/]*\//u, '')), [OURS, ...PEERS, ...Object.keys(folders)]);
    const actual = await checksumOf(folder, manifest).catch((error: unknown) => (error as Error).message);
    if (actual === manifest.source.shasum) folders[name] = folder;
    else {
      const copy = mkdtempSync(join(tmpdir(), 'keystead-bench-given-'));
      const remove = () => {
        rmSync(copy, { recursive: true, force: true });
      };
      try {
        await correct(folder, manifest, copy);
      } catch (error) {
        remove();
        throw new Error(`--snap ${given}: ${(error as Error).message}`);
      }
      process.on('exit', remove);
      folders[name] = copy;
      notes.push(
        `${name}: the checksum in its manifest is not that of its files, so that no wallet would install it. Measured from a copy with the right one.`,
      );
    }
  }
  return { folders, notes };
}
