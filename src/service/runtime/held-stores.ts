import { readFileSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';

import { ConfigError } from './config';

/** Names the stores that a folder, or a service with this data directory, has held something in: one in each line. */
const FILE = 'held-stores.txt';

function read(folder: string): readonly string[] {
  try {
    return readFileSync(join(folder, FILE), 'utf8').split('\n');
  } catch {
    // A new folder has none.
    return [];
  }
}

/** @returns Whether the store has held something before. */
export const hasHeld = (folder: string, store: string): boolean => read(folder).includes(store);

/** Appends, so that of two who do so at once neither is lost. */
async function append(path: string, line: string): Promise<void> {
  const file = await open(path, 'a', 0o600);
  try {
    await file.write(`${line}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Remembers that a store holds something. A folder that cannot be written remembers nothing. */
export async function noteHeld(folder: string, store: string): Promise<void> {
  if (!hasHeld(folder, store)) await append(join(folder, FILE), store).catch(() => undefined);
}

/**
 * The error for a store that has lost what it held: the service must not begin anew as if nothing had been there.
 *
 * @param what - The store, and what is wrong with it.
 */
export const lostError = (folder: string, what: string): ConfigError =>
  new ConfigError(
    `${what}. Restore its backup (docs/operate.md, "Back up"); to begin anew without it, delete ${join(folder, FILE)}`,
  );

/** @throws {ConfigError} If the database file is missing or empty, although the folder held one before. */
export function mustStillExist(folder: string, file: string): void {
  const isThere = (statSync(join(folder, file), { throwIfNoEntry: false })?.size ?? 0) > 0;
  if (!isThere && hasHeld(folder, file)) throw lostError(folder, `${join(folder, file)}: lost, it was there before`);
}
