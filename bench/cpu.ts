import { readdirSync, readFileSync } from 'node:fs';

/**
 * Processor time that all threads of a process have used so far, in seconds: what a figure "per core" stands on where the
 * machine does other things, too. Linux only.
 *
 * @param pid - Of a running process.
 * @returns Seconds, from the scheduler's own account in nanoseconds.
 */
export function cpuSeconds(pid: number): number {
  const tasks = `/proc/${pid}/task`;
  const nanoseconds = readdirSync(tasks).reduce((sum, task) => {
    const [ran = '0'] = readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ');
    return sum + Number(ran);
  }, 0);
  return nanoseconds / 1e9;
}
