import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

import { ArchiveError } from './errors';
import { E2STORE_MAGIC } from './era1';
import { GZIP_MAGIC } from './export';

export type SourceKind = 'era1' | 'export' | 'export-gzip';

/** A file to import. */
export type Source = { path: string; name: string; bytes: number; kind: SourceKind };

/** RLP list prefixes of a block and of the header it begins with: both are longer than 55 bytes. */
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

function source(path: string, bytes: number): Source | undefined {
  const kind = kindOf(path);
  return kind && { path, name: basename(path), bytes, kind };
}

function expand(path: string): Source[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) throw new ArchiveError(basename(path), 'no such file or folder');
  if (stats.isDirectory()) {
    // A folder also holds checksum lists and the like: what is no archive is passed over.
    const files = readdirSync(path)
      .sort()
      .map((name) => join(path, name));
    const sources = files.flatMap((file) => {
      const found = statSync(file);
      return (found.isFile() && source(file, found.size)) || [];
    });
    if (sources.length === 0) throw new ArchiveError(basename(path), 'no era1 file and no chain export in this folder');
    return sources;
  }
  const found = source(path, stats.size);
  if (!found)
    throw new ArchiveError(basename(path), 'not an archive: neither era1 nor a chain export (RLP, gzipped or not)');
  return [found];
}

/** What to import, and what of the request cannot be. */
export type Sources = { sources: Source[]; refused: ArchiveError[] };

/**
 * Finds the files to import and tells by their first bytes what they are.
 *
 * @param paths - Files and folders. In a folder, files that are no archives are passed over.
 * @returns The files in the order given, folders by name; and an error for each path that is nothing to import.
 */
export function findSources(paths: readonly string[]): Sources {
  const found: Sources = { sources: [], refused: [] };
  for (const path of paths) {
    try {
      found.sources.push(...expand(path));
    } catch (error) {
      if (!(error instanceof ArchiveError)) throw error;
      found.refused.push(error);
    }
  }
  return found;
}
