import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';

import { type Options } from '../options';
import { type Report } from '../report/report';

const root = resolve(import.meta.dirname, '../..');

/** What makes a run of a service's own benchmark short. */
const QUICK: Readonly<Record<'service' | 'storage', readonly string[]>> = {
  service: ['1', '20000'],
  storage: ['16'],
};

/**
 * The benchmark of a service: a program of its own, since it puts its servers on a core of their own.
 *
 * @returns Its lines, as it prints them.
 */
export function benchSpawned(name: 'service' | 'storage', { quick }: Options): Report {
  const script = join(root, 'bench', name, 'run.ts');
  const { stdout, status } = spawnSync(process.execPath, ['--import', 'tsx', script, ...(quick ? QUICK[name] : [])], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`bench/${name}/run.ts failed`);
  const lines = stdout.split('\n').filter((line) => line.trim() !== '');
  const rows = lines.map((line) => {
    const [what = '', ...rest] = line.trim().split(/\s{2,}/u);
    return [what, rest.join(' ')];
  });
  return { tables: [{ title: `The ${name} service`, columns: ['measured', 'result'], rows }], data: { lines } };
}
