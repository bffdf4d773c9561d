import { cpSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';

import { checksumOf, type Manifest, manifestOf } from './manifest';
import { freeName, OURS, pathOf } from './names';

/** Built snaps given by the user. */
export type Given = {
  /** Their folders, by name. */
  readonly folders: Readonly<Record<string, string>>;
  /** What a reader of their figures must know. */
  readonly notes: readonly string[];
};

const hasManifest = (folder: string): boolean => existsSync(join(folder, 'snap.manifest.json'));

/**
 * @returns The folder with the manifest: the given folder, the snap of a repository, or the package around a `dist`.
 */
function packageFolder(path: string): string {
  const folder = resolve(path);
  if (!existsSync(folder) || !statSync(folder).isDirectory()) throw new Error('is not a folder');
  const found = [folder, join(folder, 'packages/snap'), dirname(folder)].find(hasManifest);
  if (found === undefined) throw new Error('must be the folder of a built snap, with its snap.manifest.json');
  return found;
}

/** @throws If the manifest is not that of a keyring, or its bundle is missing. */
function checkedManifest(folder: string): Manifest {
  let manifest: Manifest;
  try {
    manifest = manifestOf(folder);
  } catch {
    throw new Error('snap.manifest.json must be JSON');
  }
  // The file is user input: any field may be missing.
  const { source, initialPermissions } = manifest as { [Name in keyof Manifest]?: Partial<Manifest[Name]> };
  const bundle = source?.location?.npm.filePath;
  if (typeof bundle !== 'string')
    throw new Error('snap.manifest.json must name the bundle in source.location.npm.filePath');
  if (initialPermissions?.['endowment:keyring'] === undefined)
    throw new Error('must be a keyring, with endowment:keyring in its manifest');
  if (!existsSync(join(folder, bundle)))
    throw new Error(`${join(folder, bundle)} must be there; build the snap first (mm-snap build)`);
  return manifest;
}

/** Copies the files that a wallet loads into another folder, with the correct checksum. */
async function correct(folder: string, manifest: Manifest, copy: string): Promise<void> {
  const { files = [], locales = [], location } = manifest.source;
  const { iconPath, ...npm } = location.npm;
  const hasIcon = iconPath !== undefined && existsSync(join(folder, iconPath));
  for (const path of [npm.filePath, ...(hasIcon ? [iconPath] : []), ...files, ...locales])
    cpSync(join(folder, path), join(copy, path));
  // The checksum must have a valid form before the correct one can be computed.
  const source = { ...manifest.source, shasum: `${'A'.repeat(43)}=`, location: { npm: hasIcon ? location.npm : npm } };
  const shasum = await checksumOf(copy, { ...manifest, source });
  writeFileSync(join(copy, 'snap.manifest.json'), JSON.stringify({ ...manifest, source: { ...source, shasum } }));
}

/** A built snap given by the user. */
type GivenSnap = {
  readonly folder: string;
  /** The name of its package. */
  readonly name: string;
  /** Whether it is a copy, because its checksum did not match its files. */
  readonly isCorrected: boolean;
};

async function readSnap(path: string): Promise<GivenSnap> {
  const folder = packageFolder(path);
  const manifest = checkedManifest(folder);
  const packageName = manifest.source.location.npm.packageName ?? basename(folder);
  const name = pathOf(packageName.replace(/^@[^/]*\//u, ''));
  const actual = await checksumOf(folder, manifest).catch((error: unknown) => (error as Error).message);
  if (actual === manifest.source.shasum) return { folder, name, isCorrected: false };
  const copy = mkdtempSync(join(tmpdir(), 'keystead-bench-given-'));
  const remove = () => {
    rmSync(copy, { recursive: true, force: true });
  };
  try {
    await correct(folder, manifest, copy);
  } catch (error) {
    remove();
    throw error;
  }
  process.on('exit', remove);
  return { folder: copy, name, isCorrected: true };
}

const correctedNote = (name: string): string =>
  `${name}: the checksum in its manifest does not match its files, so no wallet would install it. Measured from a copy with the correct checksum.`;

/**
 * Finds the snaps given by the user, and names each after its package, with a number if a name repeats. A snap whose
 * checksum does not match its files is measured from a copy.
 *
 * @param paths - Folders with a `snap.manifest.json`; or the `dist` within one; or a repository with the snap in
 * `packages/snap`.
 * @throws If one of them is not a built keyring.
 */
export async function givenSnaps(paths: readonly string[]): Promise<Given> {
  const folders: Record<string, string> = {};
  const notes: string[] = [];
  for (const path of paths) {
    const snap = await readSnap(path).catch((error: unknown) => {
      throw new Error(`--snap ${path}: ${(error as Error).message}`);
    });
    const name = freeName(snap.name, [OURS, ...Object.keys(folders)]);
    folders[name] = snap.folder;
    if (snap.isCorrected) notes.push(correctedNote(name));
  }
  return { folders, notes };
}
