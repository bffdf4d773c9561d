import { readFile, rm, writeFile } from 'node:fs/promises';

import { LockedError } from './locked-error';

/** When a process started, so that a number used again after a crash or a reboot is not taken for the old process. */
async function startOf(pid: number): Promise<string | undefined> {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    return `${boot.trim()} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`;
  } catch {
    return undefined;
  }
}

async function isHeld(path: string): Promise<number | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const [pid, start] = text.split('\n');
  const owner = Number(pid);
  if (!Number.isSafeInteger(owner) || owner <= 0) return undefined;
  try {
    process.kill(owner, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return undefined;
  }
  const now = await startOf(owner);
  return now === undefined || now === start ? owner : undefined;
}

/**
 * Takes the lock file at `path`; a lock left by a process that no longer runs is taken over, also where this process has
 * its number, as the first of a container always has.
 *
 * @param path - Of the lock file.
 * @param what - What it guards, for the error.
 * @returns the function that gives it back.
 * @throws LockedError naming the process that holds it.
 */
export async function lockDirectory(path: string, what: string): Promise<() => Promise<void>> {
  const content = `${process.pid}\n${(await startOf(process.pid)) ?? ''}\n`;
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      await writeFile(path, content, { flag: 'wx', mode: 0o600 });
      return () => rm(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const owner = await isHeld(path);
    if (owner !== undefined) throw new LockedError(`${what} is in use by process ${owner} (${path})`);
    await rm(path, { force: true });
  }
  throw new LockedError(`${what} is being opened by another process (${path})`);
}
