import { open, readdir, readFile, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { errorCode } from './error-code';

/** Another process holds what only one may have. The message names it. */
export class LockedError extends Error {
  override name = 'LockedError';
}

/** When a process started, so that a number used again after a crash or a reboot is not taken for the old process. */
async function startOf(pid: number): Promise<string | undefined> {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    return `${boot.trim()}-${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`;
  } catch {
    return undefined;
  }
}

/** Whether the process runs that had this number and started then. */
async function runs(pid: number, start: string): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it lives, under another user.
    if (errorCode(error) !== 'EPERM') return false;
  }
  const now = await startOf(pid);
  return now === undefined || now === start;
}

/**
 * Makes this process the only one that has what the lock stands for. Each process has a lock file of its own, whose name
 * says all (`<path>.<pid>.<start>`): who makes it and then sees no other that is alive has the lock, so of several that
 * begin at once at most one gets it; and a file of a process that has died can be removed by anybody, since nobody will
 * make it again.
 *
 * @param path - What the names of the lock files begin with; their folder must be there.
 * @param held - What to say when the process of this number has the lock.
 * @returns Gives the lock back.
 * @throws {LockedError} If another process, or this one, has it or is taking it.
 */
export async function lock(path: string, held: (pid: number) => string): Promise<() => Promise<void>> {
  const own = `${path}.${process.pid}.${(await startOf(process.pid)) ?? ''}`;
  try {
    await (await open(own, 'wx', 0o600)).close();
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw new LockedError(held(process.pid));
    throw error;
  }
  const unlock = () => rm(own, { force: true });
  try {
    const prefix = `${basename(path)}.`;
    for (const name of await readdir(dirname(path))) {
      const [, pid, start = ''] = /^(\d+)\.(.*)$/u.exec(name.startsWith(prefix) ? name.slice(prefix.length) : '') ?? [];
      if (pid === undefined || name === basename(own)) continue;
      if (await runs(Number(pid), start)) throw new LockedError(held(Number(pid)));
      await rm(join(dirname(path), name), { force: true });
    }
  } catch (error) {
    await unlock();
    throw error;
  }
  return unlock;
}
