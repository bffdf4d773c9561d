import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { errorCode } from '../error-code';
import { LockedError } from '../locked-error';

const NAME = 'import.lock';

function holderOf(path: string): number | undefined {
  const pid = Number(readFileSync(path, 'utf8'));
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined;
  try {
    process.kill(pid, 0);
    return pid;
  } catch (error) {
    // EPERM: it lives, under another user.
    return errorCode(error) === 'EPERM' ? pid : undefined;
  }
}

/**
 * Makes this process the only one that imports into an archive.
 *
 * @param dir - The archive's folder.
 * @returns Gives the lock back.
 * @throws {LockedError} If a living process holds it. The lock of a dead one is taken over.
 */
export function lockArchive(dir: string): () => void {
  const path = join(dir, NAME);
  for (;;) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx' });
      return () => {
        rmSync(path, { force: true });
      };
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
      const holder = holderOf(path);
      if (holder !== undefined) throw new LockedError(`process ${holder} is importing into this archive`);
      rmSync(path, { force: true });
    }
  }
}
