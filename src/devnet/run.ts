import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Parts } from './parts';
import { type Progress } from './progress';

/** What everything that is started gets. */
export type Run = {
  /** Aborted when the devnet is to end: by Ctrl-C, or since a part ended. */
  readonly signal: AbortSignal;
  readonly progress: Progress;
  readonly parts: Parts;
  /** A folder that goes with the process. */
  readonly temporary: string;
};

/**
 * Waits until all of it is done, also when some of it fails: nothing goes on behind the back of what comes next.
 *
 * @throws The first failure.
 */
export async function together<T extends readonly unknown[]>(
  work: { [I in keyof T]: Promise<T[I]> },
  onFailure: (error: unknown) => void,
): Promise<T> {
  const all = Promise.all(work);
  all.catch(onFailure);
  await Promise.allSettled(work);
  return (await all) as unknown as T;
}

/**
 * Makes a folder for whatever this process and its programs put into the folder for temporary files: not all of them
 * tidy up.
 *
 * @returns The folder. It goes with the process.
 */
export function openTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'keystead-devnet-'));
  process.env.TMPDIR = folder;
  process.once('exit', () => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}
