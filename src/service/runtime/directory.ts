import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, rmdirSync, statSync } from 'node:fs';
import { open, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

import { ConfigError } from './config';
import { errorCode } from './error-code';

/** The bytes that a small answer needs on the disk. */
const PROBE_BYTES = 4096;

/** Syncs a directory, so that a crash cannot lose the names of files whose contents are already synced. */
function syncNames(path: string): void {
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

/** Removes directories, lowest first, up to the first that is no longer empty because another process has used it. */
function removeEmpty(paths: readonly string[]): void {
  try {
    for (const path of paths) rmdirSync(path);
  } catch {
    // The caller reports why the directory could not be created.
  }
}

/**
 * Creates a directory and its missing parents, accessible to the owner only; on failure, removes what it has created.
 * An existing directory is left as it is.
 *
 * Node's recursive `mkdir` loops forever where a directory exists but nothing can be created in it, as in `/proc`.
 *
 * @param path - Path of the directory.
 * @throws {ConfigError} If it cannot be created, or is not a directory.
 */
export function makeDirectory(path: string): void {
  const missing: string[] = [];
  for (let each = resolve(path); !existsSync(each); each = dirname(each)) missing.push(each);
  const made: string[] = [];
  for (const each of missing.reverse()) {
    try {
      mkdirSync(each, { mode: 0o700 });
      made.push(each);
      syncNames(dirname(each));
    } catch (error) {
      // Another process may have just created it.
      if (errorCode(error) === 'EEXIST') continue;
      removeEmpty(made.reverse());
      throw new ConfigError(`${path}: cannot create the directory (${errorCode(error) ?? 'refused'} at ${each})`, {
        cause: error,
      });
    }
  }
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new ConfigError(`${path}: not a directory`);
  }
}

/**
 * Writes something into a directory as durably as anything is, and removes it.
 *
 * @param path - Path of the directory.
 * @throws An error of the system, for example if the disk is full.
 */
export async function probeWrite(path: string): Promise<void> {
  const name = join(path, 'probe');
  const handle = await open(name, 'w', 0o600);
  try {
    await handle.writev([Buffer.alloc(PROBE_BYTES, 1)], 0);
    await handle.datasync();
  } finally {
    await handle.close();
    await unlink(name);
  }
}
