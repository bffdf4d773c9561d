import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Parts } from './parts';
import { type Progress } from './progress';

/** Context for everything that is started. */
export type Run = {
  /** Aborted when the devnet must stop: on Ctrl-C, or because a part ended. */
  readonly signal: AbortSignal;
  readonly progress: Progress;
  readonly parts: Parts;
  /** A folder that is deleted when the process ends. */
  readonly temporary: string;
};

/**
 * Waits until all work has settled, even if some of it fails, so that nothing continues in the background.
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
 * Creates a folder for all temporary files of this process and its programs, since not all of them clean up.
 *
 * @returns The folder. It is deleted when the process ends.
 */
export function openTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'keystead-devnet-'));
  process.env.TMPDIR = folder;
  process.once('exit', () => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}
