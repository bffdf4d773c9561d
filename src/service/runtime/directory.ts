import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, rmdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import { ConfigError } from './config';
import { errorCode } from './error-code';

/** What is synced into a directory whose name a crash has lost is lost, too. */
function syncNames(path: string): void {
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

/** Removes directories, from the lowest up to one that somebody else has put something in meanwhile. */
function removeEmpty(paths: readonly string[]): void {
  try {
    for (const path of paths) rmdirSync(path);
  } catch {
    // What is told is why the whole could not be made.
  }
}

/**
 * Makes a directory and what is missing above it, for its owner alone; all of it or nothing. One that is there stays as it
 * is.
 *
 * Node's own recursive `mkdir` tries without end where a directory is there and nothing can be made in it, as in `/proc`.
 *
 * @param path - Of the directory.
 * @throws {ConfigError} If it cannot be made, or is something else.
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
      // Somebody else may have just made it.
      if (errorCode(error) === 'EEXIST') continue;
      removeEmpty(made.reverse());
      throw new ConfigError(`${path}: the directory cannot be made (${errorCode(error) ?? 'refused'} at ${each})`, {
        cause: error,
      });
    }
  }
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new ConfigError(`${path}: is not a directory`);
  }
}
