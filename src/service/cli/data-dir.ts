import { accessSync, constants, statSync } from 'node:fs';

import { ConfigError } from '../runtime/config';
import { makeDirectory } from '../runtime/directory';
import { errorCode } from '../runtime/error-code';

/** The folder for keys, credits, archives and files, and the setting that chose it. */
export type DataDir = { path: string; setting: string };

const { R_OK, W_OK, X_OK } = constants;

/** Uses the data directory; an error names the setting to fix. */
function named({ path, setting }: DataDir, rule: string, use: () => void): void {
  try {
    use();
  } catch (error) {
    const why =
      error instanceof ConfigError ? error.message : `${path}: ${rule} (${errorCode(error) ?? String(error)})`;
    throw new ConfigError(`${setting}: ${why}`, { cause: error });
  }
}

/**
 * Creates the data directory unless it exists.
 *
 * @param dataDir - The directory.
 * @throws {ConfigError} Names the setting, if the directory cannot be created, is not a directory, or cannot be read
 * and written.
 */
export function makeDataDir(dataDir: DataDir): void {
  named(dataDir, 'this user must be able to read and write in it', () => {
    makeDirectory(dataDir.path);
    accessSync(dataDir.path, R_OK | W_OK | X_OK);
  });
}

/**
 * Checks a data directory that is only read, if it exists.
 *
 * @param dataDir - The directory.
 * @throws {ConfigError} Names the setting, if it is not a directory or cannot be read.
 */
export function checkDataDir(dataDir: DataDir): void {
  const { path } = dataDir;
  named(dataDir, 'this user must be able to read it', () => {
    // A path that cannot be inspected throws; it does not count as missing.
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return;
    if (!found.isDirectory()) throw new ConfigError(`${path}: not a directory`);
    accessSync(path, R_OK | X_OK);
  });
}
