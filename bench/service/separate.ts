import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';

import { type Options } from '../options';
import { type Report } from '../report';
import { type Figure, shown } from './figures';

const ROOT = resolve(import.meta.dirname, '../..');

/** The benchmark of the chain service, in a process of its own, since it counts the processor time of its process. */
export function benchService({ quick }: Pick<Options, 'quick'>): Promise<Report> {
  const script = join(ROOT, 'bench/service/run.ts');
  const { stdout, status } = spawnSync(process.execPath, ['--import', 'tsx', script, ...(quick ? ['--quick'] : [])], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error('bench/service/run.ts failed');
  const figures = JSON.parse(stdout) as readonly Figure[];
  const rows = figures.map(({ name, value, unit, note = '' }) => [name, `${shown(value)} ${unit}`, note]);
  const table = { title: 'The chain service', columns: ['measured', 'result', ''], rows };
  return Promise.resolve({ tables: [table], data: { figures } });
}
