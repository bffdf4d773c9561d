import { closeSync, openSync, readdirSync, readSync, statSync, type Dirent, type Stats } from 'node:fs';
import { basename, join } from 'node:path';

import { errorCode } from '../../runtime/error-code';
import { ArchiveError } from './errors';
import { E2STORE_MAGIC } from './era1';
import { GZIP_MAGIC } from './export';

export type SourceKind = 'era1' | 'export' | 'export-gzip';

/** A file to import. */
export type Source = { path: string; name: string; bytes: number; kind: SourceKind };

/** The files to import, and the paths that cannot be imported. */
export type Sources = { sources: Source[]; refused: ArchiveError[] };

/** RLP list prefix of a block, and of the header it begins with: both are longer than 55 bytes. */
const isLongList = (byte: number | undefined) => byte !== undefined && byte >= 0xf8;

function kindOf(path: string): SourceKind | undefined {
  const start = Buffer.alloc(E2STORE_MAGIC.length);
  const fd = openSync(path, 'r');
  try {
    readSync(fd, start, 0, start.length, 0);
  } finally {
    closeSync(fd);
  }
  if (start.equals(E2STORE_MAGIC)) return 'era1';
  if (start.subarray(0, GZIP_MAGIC.length).equals(GZIP_MAGIC)) return 'export-gzip';
  const first = start[0] ?? 0;
  return isLongList(first) && isLongList(start[1 + first - 0xf7]) ? 'export' : undefined;
}

const NO_ARCHIVE = 'not an archive: neither era1 nor a chain export (RLP, gzipped or not)';

/** File names that indicate an archive, whatever the content. */
const ARCHIVE_NAME = /\.(?:era1|rlp|rlp\.gz)$/u;

function unreadable(file: string, error: unknown): ArchiveError {
  return new ArchiveError(file, `cannot be read (${errorCode(error) ?? String(error)})`, { cause: error });
}

/** @returns What is at the path; undefined if nothing is. @throws {ArchiveError} If it cannot be determined. */
function statAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** @throws {ArchiveError} If the folder cannot be read. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    throw unreadable(folder, error);
  }
}

/** @returns The file as a source; undefined if it is not an archive. */
function sourceAt(path: string): Source | undefined {
  const name = basename(path);
  try {
    const stats = statSync(path);
    // Opening a pipe would wait for a writer.
    if (!stats.isFile()) return undefined;
    const kind = kindOf(path);
    return kind && { path, name, bytes: stats.size, kind };
  } catch (error) {
    throw unreadable(name, error);
  }
}

/** Runs an action and collects its ArchiveError. */
function collect(refused: ArchiveError[], action: () => void): void {
  try {
    action();
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    refused.push(error);
  }
}

/** Adds a file, or reports why not. */
function addFile(path: string, isNamed: boolean, { sources, refused }: Sources): void {
  collect(refused, () => {
    const found = sourceAt(path);
    if (found) sources.push(found);
    else if (isNamed) throw new ArchiveError(basename(path), NO_ARCHIVE);
  });
}

/** @throws {ArchiveError} If the folder cannot be read, or has nothing to import. */
function addFolder(folder: string, found: Sources): void {
  const before = found.sources.length + found.refused.length;
  const entries = entriesOf(folder);
  // A folder may also hold checksum lists, subfolders and the like; whatever does not look like an archive is skipped.
  for (const entry of entries)
    if (!entry.isDirectory()) addFile(join(folder, entry.name), ARCHIVE_NAME.test(entry.name), found);
  if (found.sources.length + found.refused.length === before)
    throw new ArchiveError(folder, 'no era1 file and no chain export in this folder');
}

/**
 * Finds the files to import and detects their type from their first bytes.
 *
 * @param paths - Files and folders. In a folder, files that are not archives are skipped, unless their name says that
 * they are.
 * @returns The files in the order given, folders by name; and an error for each path with nothing to import.
 */
export function findSources(paths: readonly string[]): Sources {
  const found: Sources = { sources: [], refused: [] };
  for (const path of paths)
    collect(found.refused, () => {
      const stats = statAt(path);
      if (!stats) throw new ArchiveError(path, 'no such file or folder');
      if (stats.isDirectory()) addFolder(path, found);
      else addFile(path, true, found);
    });
  return found;
}
