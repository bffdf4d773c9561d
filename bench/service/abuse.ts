import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { archiveDir } from '../../src/service/chain/archive/catalog';
import { parseConfig } from '../../src/service/cli/config';
import { openKeys } from '../../src/service/keys/open';
import { step } from '../progress';
import { type Report } from '../report';
import { writeSynthetic } from './archive';
import { type Credentials, measureHonest, PAUSE_MS, percentile, PROBE_MS, type Times, type Urls } from './honest';
import { bundle, freePort, start, uncleList } from './programs';

/** What hostile clients do meanwhile, and by how much the p99 of others may grow: `3` for a single key or address. */
const ATTACKS = {
  'nested JSON': 5,
  'flat array': 5,
  'huge batches': 5,
  'look-ups': 5,
  'slow bodies': 5,
  'endless sockets': 5,
  'WebSocket frames': 5,
  'endless preflights': 5,
  'upgrade offers': 5,
  'pipelined offers': 5,
  'unread answers': 3,
  'long answers': 3,
  'storage walks': 3,
  'gateway files': 3,
  'slow uploads': 3,
  'queued uploads': 3,
  'compressed files': 3,
  'sharded directories': 3,
  'byte ranges': 3,
} as const;

type Attack = keyof typeof ATTACKS;

const isAttack = (name: string): name is Attack => Object.hasOwn(ATTACKS, name);

type AbuseOptions = {
  readonly quick: boolean;
  readonly older: string | undefined;
  readonly attacks: readonly string[];
};

const CLIENTS = 64;
const BLOCKS = 20_000;

/** Time for an attack to use up what its keys may do at once. */
const SETTLE_MS = 3000;

/** The time after which the service must be as before, once an attack has ended. */
const AFTERWARDS_MS = 1000;
/** How much more descriptors it may have then, in parts of those before: timers and files come and go. */
const MORE_DESCRIPTORS = 0.05;
/** How long they are waited for, at most. */
const LONGEST_MS = 60_000;

/** Open descriptors of a process, its resident memory in MiB, and the most it ever was. */
type Usage = { readonly descriptors: number; readonly memory: number; readonly peak: number };

function usageOf({ pid }: ChildProcess): Usage {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mebibytes = (field: string) =>
    Math.round(Number(new RegExp(`^${field}:\\s+(\\d+)`, 'mu').exec(status)?.[1]) / 1024);
  return {
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    memory: mebibytes('VmRSS'),
    peak: mebibytes('VmHWM'),
  };
}

/**
 * Starts a program that would not run on the machine of the service, with the lowest priority: otherwise, the table
 * would show who gets the processor. It is ready once it has printed something.
 */
async function startAside(...program: string[]): Promise<ChildProcess> {
  const child = spawn('nice', ['-n', '19', process.execPath, ...program], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return child;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal);
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** One attack on one build of the service. */
type Measured = {
  readonly idle: Times;
  readonly attacked: Times;
  readonly usages: readonly Usage[];
  /** The time after which the descriptors were as before, in milliseconds; one second if they were by then. */
  readonly backMs: number;
};

/** What every measurement has in common. */
type Setting = {
  readonly config: string;
  readonly urls: Urls;
  /** The program of the attackers, and the file that it reads. */
  readonly hostile: readonly [program: string, file: string];
  readonly honest: Credentials;
  readonly ms: number;
};

/** A build of the service, with data of its own: another build may store files in another way. */
type Subject = { readonly cli: string; readonly dataDir: string };

/** Starts a service, and measures the honest client before and during an attack. */
async function measureAttack({ cli, dataDir }: Subject, attack: Attack, setting: Setting): Promise<Measured> {
  const { config, urls, hostile, honest, ms } = setting;
  const port = new URL(urls.rpc).port;
  const serve = [cli, 'serve', '--rpc-port', port, '--data-dir', dataDir, '--config', config];
  const service = await start(process.execPath, serve, `${urls.operations}/readyz`);
  let clients: ChildProcess | undefined;
  try {
    // What the service still has to compile.
    await measureHonest(urls, honest, ms / 4);
    const idle = await measureHonest(urls, honest, ms);
    const before = usageOf(service);
    clients = await startAside(hostile[0], attack, hostile[1]);
    await delay(SETTLE_MS);
    const attacked = await measureHonest(urls, honest, ms);
    const during = usageOf(service);
    await end(clients, 'SIGKILL');
    const ended = performance.now();
    await delay(AFTERWARDS_MS);
    const usages = [before, during, usageOf(service)];
    const isBack = () => usageOf(service).descriptors <= before.descriptors * (1 + MORE_DESCRIPTORS);
    let backMs = AFTERWARDS_MS;
    for (; !isBack() && backMs < LONGEST_MS; backMs = performance.now() - ended) await delay(100);
    return { idle, attacked, usages, backMs };
  } finally {
    if (clients) await end(clients, 'SIGKILL');
    // One that was attacked may not end by itself.
    await end(service, 'SIGKILL');
  }
}

const p99 = (times: readonly number[]) => percentile(times, 0.99);
/** A client that gets no answer at all waits for ever. */
const ratioOf = ({ idle, attacked }: Measured) =>
  attacked.lookUps.length === 0 ? Infinity : p99(attacked.lookUps) / p99(idle.lookUps);
const times = (ratio: number) => (ratio === Infinity ? 'none answered' : ratio.toFixed(1));

/** The round with the lowest ratio, as another program may have had the processor in others; the rest is the worst. */
function rowOf(subject: string, attack: Attack, rounds: readonly Measured[]): string[] {
  const best = rounds.reduce((one, other) => (ratioOf(other) < ratioOf(one) ? other : one));
  const { idle, attacked } = best;
  const growth = Math.max(
    ...rounds.map(({ usages: [before, during] }) => (during?.peak ?? NaN) - (before?.memory ?? NaN)),
  );
  const worst = rounds.reduce((one, other) =>
    (other.usages[2]?.descriptors ?? 0) - (other.usages[0]?.descriptors ?? 0) >
    (one.usages[2]?.descriptors ?? 0) - (one.usages[0]?.descriptors ?? 0)
      ? other
      : one,
  );
  return [
    attack,
    subject,
    p99(idle.lookUps).toFixed(2),
    p99(attacked.lookUps).toFixed(2),
    times(ratioOf(best)),
    String(ATTACKS[attack]),
    p99(attacked.ready).toFixed(2),
    p99(attacked.storage).toFixed(2),
    rounds.map((each) => each.attacked.failed).join(', '),
    worst.usages.map(({ descriptors }) => descriptors).join(', '),
    (Math.max(...rounds.map(({ backMs }) => backMs)) / 1000).toFixed(1),
    String(growth),
  ];
}

const COLUMNS = [
  'what hostile clients do',
  'service',
  'idle p99, ms',
  'p99, ms',
  'p99 / idle p99',
  'at most',
  'readiness p99, ms',
  'storage p99, ms',
  'failed',
  'descriptors before, during, 1 s after',
  'as before after, s',
  'memory, MiB more',
];

/** The program of an older build. */
function olderCli(folder: string): string {
  const cli = resolve(folder, 'dist-service/cli.js');
  if (!existsSync(cli))
    throw new Error(`--older ${folder}: has no dist-service/cli.js; run npm run build:service there`);
  return cli;
}

/**
 * Measures an honest key's look-ups, and probes, while nobody else asks and during each attack, each time on a service
 * that was just started. It runs with its default limits. The attackers run in one process with the lowest priority,
 * as does the node.
 *
 * @param options.older - A folder with another build of the service, which is attacked in turn with this one.
 * @param options.attacks - Names of those to measure; all if there are none.
 */
export async function benchAbuse({ quick, older, attacks }: AbuseOptions): Promise<Report> {
  const unknown = attacks.find((name) => !isAttack(name));
  if (unknown !== undefined) throw new Error(`--attack ${unknown}: must be one of ${Object.keys(ATTACKS).join(', ')}`);
  const folder = mkdtempSync(join(tmpdir(), 'keystead-bench-'));
  const ms = quick ? 2000 : 8000;
  const rounds = quick ? 1 : 3;
  const programs = bundle({
    cli: 'src/service/cli/main.ts',
    hostile: 'bench/service/hostile-clients.ts',
    node: 'bench/service/large-node.ts',
  });
  const clis = { ...(older !== undefined && { before: olderCli(older) }), now: programs.cli };
  const dataDir = join(folder, 'served');
  const config = join(folder, 'config.json');
  const file = join(folder, 'keys');
  let upstream: ChildProcess | undefined;
  try {
    writeSynthetic(archiveDir(dataDir, 'mainnet'), uncleList(), BLOCKS);
    const [rpcPort, ownPort, storagePort, gatewayPort] = [
      await freePort(),
      await freePort(),
      await freePort(),
      await freePort(),
    ];
    const at = (port: string) => `http://127.0.0.1:${port}`;
    const urls: Urls = {
      rpc: at(rpcPort),
      operations: at(ownPort),
      storage: at(storagePort),
      gateway: at(gatewayPort),
    };
    const nodePort = await freePort();
    upstream = await startAside(programs.node, nodePort);
    const networks = [{ name: 'mainnet', chainId: 1, upstream: `http://127.0.0.1:${nodePort}` }];
    const served = { port: Number(storagePort), gateway: { port: Number(gatewayPort) } };
    const operations = { port: Number(ownPort) };
    writeFileSync(config, JSON.stringify({ log: { level: 'error' }, rpc: { operations }, networks, storage: served }));
    const store = await openKeys(parseConfig({}), dataDir, () => undefined);
    const create = () => store.create({ dailyCredits: Number.MAX_SAFE_INTEGER });
    const honest = await create();
    const keys = await Promise.all(Array.from({ length: CLIENTS }, create));
    await store.close();
    writeFileSync(file, JSON.stringify({ ...urls, keys }));
    const subjects = Object.entries(clis).map(([name, cli]) => ({ name, cli, dataDir: join(folder, name) }));
    for (const subject of subjects) cpSync(dataDir, subject.dataDir, { recursive: true });
    const setting: Setting = { config, urls, hostile: [programs.hostile, file], honest, ms };

    const taken = new Map<string, Measured[]>();
    const names = attacks.length > 0 ? attacks.filter(isAttack) : (Object.keys(ATTACKS) as Attack[]);
    for (let round = 0; round < rounds; round++) {
      for (const [i, attack] of names.entries()) {
        step(attack, [round * names.length + i, rounds * names.length]);
        for (const subject of subjects) {
          const name = `${attack} ${subject.name}`;
          taken.set(name, [...(taken.get(name) ?? []), await measureAttack(subject, attack, setting)]);
        }
      }
    }
    const rows = names.flatMap((attack) =>
      subjects.map(({ name }) => rowOf(name, attack, taken.get(`${attack} ${name}`) ?? [])),
    );
    return {
      tables: [{ title: 'An honest key during attacks', columns: COLUMNS, rows }],
      data: { attacks: rows },
      notes: [
        `One honest client sends a look-up every ${PAUSE_MS} ms on a kept connection, and probes ask for the readiness of both services and for the version of storage every ${PROBE_MS} ms, ${ms / 1000} s without an attack and ${ms / 1000} s during it. Each attack has a service that was just started, with its default limits, ${rounds} times. The times are those of the round with the lowest ratio, failed requests those of each round, descriptors and memory (its highest resident size, less the size before) the worst. The attackers run in one process, the node in another; they share the machine's cores with the service, so they run with the lowest priority (\`nice -n 19\`). Preflights come from as many connections without a key, offers from 10,000, unread and long answers, walks, slow and queued uploads, compressed files and sharded directories from one key, files and ranges of the gateway from one address, the others from ${CLIENTS} keys. The goals: the p99 at most as many times the idle one as the table says, every request answered, the descriptors one second after an attack within 5 % of those before, at most 256 MiB more for one key or address.`,
      ],
    };
  } finally {
    if (upstream) await end(upstream, 'SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}
