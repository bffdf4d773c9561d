import { readdirSync, readFileSync } from 'node:fs';

/**
 * Processor time used so far by all threads of a process, in seconds: the basis of figures "per core" on a machine that
 * also does other work. Linux only.
 *
 * @param pid - A running process.
 * @returns Seconds, from the scheduler's own accounting in nanoseconds.
 */
export function cpuSeconds(pid: number): number {
  const tasks = `/proc/${pid}/task`;
  const nanoseconds = readdirSync(tasks).reduce((sum, task) => {
    const [ran = '0'] = readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ');
    return sum + Number(ran);
  }, 0);
  return nanoseconds / 1e9;
}
