import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { type Options } from '../options';
import { type Figure, shown } from '../report';
import { type Report, type Table } from '../report/report';

type Service = 'service' | 'storage';

const root = resolve(import.meta.dirname, '../..');

/** What makes a run of a service's own benchmark short. */
const QUICK: Readonly<Record<Service, readonly string[]>> = {
  service: ['2000', '1', '20000'],
  storage: ['16'],
};

/** Switches the SHA instructions of x86 processors off in OpenSSL, and so in Node (OPENSSL_ia32cap). */
const WITHOUT_SHA = { OPENSSL_ia32cap: ':~0x20000000' };

const hasShaInstructions = (): boolean => {
  try {
    return / sha_ni /u.test(readFileSync('/proc/cpuinfo', 'utf8'));
  } catch {
    return false;
  }
};

/** The benchmark of a service: a program of its own, since it puts its servers on a core of their own. */
function figuresOf(name: Service, quick: boolean, env: Readonly<Record<string, string>> = {}): readonly Figure[] {
  const script = join(root, 'bench', name, 'run.ts');
  const { stdout, status } = spawnSync(process.execPath, ['--import', 'tsx', script, ...(quick ? QUICK[name] : [])], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  if (status !== 0) throw new Error(`bench/${name}/run.ts failed`);
  return JSON.parse(stdout) as readonly Figure[];
}

const tableOf = (title: string, figures: readonly Figure[]): Table => ({
  title,
  columns: ['measured', 'result', ''],
  rows: figures.map((figure) => [figure.name, `${shown(figure.value)} ${figure.unit}`, figure.note ?? '']),
});

/** The benchmark of the chain service. */
export function benchService({ quick }: Options): Report {
  const figures = figuresOf('service', quick);
  return { tables: [tableOf('The chain service', figures)], data: { figures } };
}

/**
 * The benchmark of the storage service. Its rates are read beside the speed of SHA2-256, which differs fourfold between
 * processors with and without instructions for it: where there are such, both are measured.
 */
export function benchStorage({ quick }: Options): Report {
  const figures = figuresOf('storage', quick);
  const title = 'The storage service';
  if (!hasShaInstructions()) return { tables: [tableOf(title, figures)], data: { figures } };
  const withoutSha = figuresOf('storage', quick, WITHOUT_SHA);
  return {
    tables: [
      tableOf(`${title}, with the processor's SHA instructions`, figures),
      tableOf(`${title}, with the processor's SHA instructions switched off`, withoutSha),
    ],
    data: { figures, withoutSha },
  };
}
