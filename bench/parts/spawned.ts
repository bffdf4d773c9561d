import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { congestionControl, paces, UNPACED, unpacedNetwork } from '../network';
import { type Options } from '../options';
import { type Figure, shown } from '../report';
import { type Report, type Table } from '../report/report';

type Service = 'service' | 'storage';

const root = resolve(import.meta.dirname, '../..');

/** Parameters for a short run of a service's own benchmark. */
const QUICK: Readonly<Record<Service, readonly string[]>> = {
  service: ['2000', '1', '20000'],
  storage: ['16'],
};

/** Disables the SHA instructions of x86 processors in OpenSSL, and thus in Node (OPENSSL_ia32cap). */
const WITHOUT_SHA = { OPENSSL_ia32cap: ':~0x20000000' };

const hasShaInstructions = (): boolean => {
  try {
    return / sha_ni /u.test(readFileSync('/proc/cpuinfo', 'utf8'));
  } catch {
    return false;
  }
};

/** The environment of a service's own benchmark. */
type Surroundings = {
  readonly env?: Readonly<Record<string, string>>;
  /** A command that runs the command after it. */
  readonly within?: readonly string[];
};

/** Runs the benchmark of a service as a separate program, since it puts its servers on their own core. */
function figuresOf(name: Service, quick: boolean, { env = {}, within = [] }: Surroundings = {}): readonly Figure[] {
  const script = join(root, 'bench', name, 'run.ts');
  const run = [...within, process.execPath, '--import', 'tsx', script, ...(quick ? QUICK[name] : [])];
  const [command = process.execPath, ...args] = run;
  const { stdout, status } = spawnSync(command, args, {
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
export function benchService({ quick }: Pick<Options, 'quick'>): Report {
  const figures = figuresOf('service', quick);
  return { tables: [tableOf('The chain service', figures)], data: { figures } };
}

/** One run of the storage service's benchmark. */
type StorageRun = { readonly key: string; readonly title: string; readonly surroundings: Surroundings };

/**
 * Runs with and without the processor's SHA instructions, in one network. @param suffix - Appended to the keys of its
 * figures.
 */
function storageRuns(network: string, suffix: string, within: readonly string[] = []): StorageRun[] {
  const title = (sha: string) => ['The storage service', sha, network].filter((part) => part !== '').join(', ');
  if (!hasShaInstructions()) return [{ key: `figures${suffix}`, title: title(''), surroundings: { within } }];
  return [
    {
      key: `figures${suffix}`,
      title: title("with the processor's SHA instructions"),
      surroundings: { within },
    },
    {
      key: `withoutSha${suffix}`,
      title: title("with the processor's SHA instructions switched off"),
      surroundings: { env: WITHOUT_SHA, within },
    },
  ];
}

/**
 * The benchmark of the storage service. Its rates depend on the speed of SHA2-256, which differs fourfold between
 * processors with and without instructions for it, so on a processor that has them both are measured. If the machine
 * paces loopback traffic, which costs an add up to a quarter, everything is also measured without pacing.
 */
export function benchStorage({ quick }: Pick<Options, 'quick'>): Report {
  const control = congestionControl();
  const machine = control === undefined ? '' : `TCP ${control}${paces() ? ', which paces' : ''}`;
  const within = unpacedNetwork();
  const runs =
    within === undefined
      ? storageRuns(machine, '')
      : [...storageRuns(`TCP ${UNPACED}`, '', within), ...storageRuns(machine, 'Paced')];
  const measured = runs.map(({ key, title, surroundings }) => ({
    key,
    title,
    figures: figuresOf('storage', quick, surroundings),
  }));
  const note = `The server and its client use loopback. This machine's TCP uses ${control ?? ''}, which waits for timers before it sends, even on loopback. So everything is measured twice: in a separate network with ${UNPACED}, and in the machine's own.`;
  return {
    tables: measured.map(({ title, figures }) => tableOf(title, figures)),
    data: Object.fromEntries(measured.map(({ key, figures }) => [key, figures])),
    notes: within === undefined ? [] : [note],
  };
}
