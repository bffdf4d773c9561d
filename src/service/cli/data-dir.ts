import { accessSync, constants, statSync } from 'node:fs';

import { ConfigError } from '../runtime/config';
import { makeDirectory } from '../runtime/directory';
import { errorCode } from '../runtime/error-code';

/** Where keys, credits, archives and files are, and which setting says so. */
export type DataDir = { path: string; setting: string };

const { R_OK, W_OK, X_OK } = constants;

/** Does something with the data directory; what goes wrong is told with the setting that names it. */
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
 * Makes the data directory unless it is there.
 *
 * @param dataDir - The directory.
 * @throws {ConfigError} Naming the setting, if it cannot be made, is something else, or may not be read or written.
 */
export function makeDataDir(dataDir: DataDir): void {
  named(dataDir, 'this user must be able to read and write in it', () => {
    makeDirectory(dataDir.path);
    accessSync(dataDir.path, R_OK | W_OK | X_OK);
  });
}

/**
 * Checks a data directory that is only read from, if it is there.
 *
 * @param dataDir - The directory.
 * @throws {ConfigError} Naming the setting, if it is something else, or may not be read.
 */
export function checkDataDir(dataDir: DataDir): void {
  const { path } = dataDir;
  named(dataDir, 'this user must be able to read it', () => {
    // One that cannot be looked at is not taken for one that is not there.
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return;
    if (!found.isDirectory()) throw new ConfigError(`${path}: is not a directory`);
    accessSync(path, R_OK | X_OK);
  });
}
