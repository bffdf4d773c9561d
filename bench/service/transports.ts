import { spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { cpuSeconds } from '../cpu';
import { step } from '../progress';
import type { Report } from '../report';
import { bundle, freePort, start } from './programs';

const root = resolve(import.meta.dirname, '../..');
const CONNECTIONS = '64';

/** A server to measure, and its requests: a file of bodies, one per line. */
type Server = { name: string; child: ChildProcess; url: (kind: Kind) => string; bodies: string };
type Kind = 'http' | 'ws';
type Rates = { perSecond: number; perCpuSecond: number };

async function measure(load: string, { child, url, bodies }: Server, kind: Kind, requests: number): Promise<Rates> {
  const before = cpuSeconds(child.pid ?? 0);
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [load, kind, url(kind), bodies, CONNECTIONS, String(requests)],
    { encoding: 'utf8', timeout: 300_000 },
  );
  if (status !== 0) throw new Error(`the load generator failed: ${stderr}`);
  return { perSecond: requests / Number(stdout), perCpuSecond: requests / (cpuSeconds(child.pid ?? 0) - before) };
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

/** What to serve, and how much to measure. */
export type TransportsOptions = {
  /** Data directory with an archive whose blocks have one uncle each. */
  dataDir: string;
  /** Number of blocks in the archive, from 0. */
  blocks: number;
  /** Folder for bundles and request files. */
  folder: string;
  /** Requests per measurement. */
  requests: number;
  /** Measurements per server, after an uncounted one. */
  rounds: number;
};

/** The service caches this many uncles, and never as many as TOO_MANY. */
const REMEMBERED = 4000;
const TOO_MANY = 50_000;
/** A prime, so that consecutive requests are not adjacent on disk. */
const STRIDE = 104_729;

/**
 * Requests over HTTP and WebSocket: this service answering uncles, anvil answering null, and bare servers on node:http
 * and node:net, in turn. The service caches recent uncles, so it is measured with one uncle repeatedly, with as many as
 * it caches, and with so many that none is cached. Rates are compared per second of processor time, because anvil uses
 * all cores and the machine does other work, too. A ratio is the median over the rounds.
 */
export async function benchTransports(
  report: Report,
  { dataDir, blocks, folder, requests, rounds }: TransportsOptions,
): Promise<void> {
  const { cli, load, bare, bareNet } = bundle({
    cli: 'src/service/cli/main.ts',
    load: 'bench/service/load.ts',
    bare: 'bench/service/bare.ts',
    bareNet: 'bench/service/bare-net.ts',
  });
  const create = [cli, 'keys', 'create', '--credits', '9007199254740991', '--json', '--data-dir', dataDir];
  const { stdout } = spawnSync(process.execPath, create, { encoding: 'utf8' });
  const { key } = JSON.parse(stdout) as { key: string };
  const [port, anvilPort] = [await freePort(), await freePort()];
  const [barePort, bareNetPort] = [await freePort(), await freePort()];
  const anvil = join(root, 'node_modules/@foundry-rs/anvil-linux-amd64/bin/anvil');
  const method = 'eth_getUncleByBlockNumberAndIndex';
  const asking = (name: string, asked: readonly number[]) => {
    const body = (block: number) =>
      JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [`0x${block.toString(16)}`, '0x0'] });
    const path = join(folder, name);
    writeFileSync(path, asked.map(body).join('\n'));
    return path;
  };
  const different = (count: number) => Array.from({ length: count }, (_, i) => 1 + ((i * STRIDE) % (blocks - 1)));
  const one = asking('one', [668]);
  const address = (at: string) => `127.0.0.1:${at}`;
  const config = join(folder, 'config.json');
  // One key sends everything.
  writeFileSync(config, JSON.stringify({ rpc: { limits: { keyPerSecond: 1e9, keyBurst: 1e9 } } }));
  const serve = [cli, 'serve', '--rpc-port', port, '--storage-port', '0', '--data-dir', dataDir, '--config', config];
  const own = {
    child: await start(process.execPath, serve, `http://${address(port)}/health`),
    url: (kind: Kind) => `${kind}://${address(port)}/${kind === 'ws' ? 'ws/v3' : 'v3'}/${key}`,
  };
  const servers: Server[] = [
    { name: 'keystead, one uncle again and again', ...own, bodies: one },
    {
      name: 'anvil, null',
      child: await start(
        existsSync(anvil) ? anvil : 'anvil',
        ['--port', anvilPort, '--silent'],
        `http://${address(anvilPort)}/`,
      ),
      url: (kind) => `${kind}://${address(anvilPort)}/`,
      bodies: asking('none', [0]),
    },
    { name: `keystead, ${REMEMBERED} uncles by turns`, ...own, bodies: asking('some', different(REMEMBERED)) },
    {
      name: 'bare node:http',
      child: await start(process.execPath, [bare, barePort], `http://${address(barePort)}/`),
      url: () => `http://${address(barePort)}/`,
      bodies: one,
    },
    {
      name: 'bare node:net',
      child: await start(process.execPath, [bareNet, bareNetPort], `http://${address(bareNetPort)}/`),
      url: () => `http://${address(bareNetPort)}/`,
      bodies: one,
    },
    { name: 'keystead, another uncle each time', ...own, bodies: asking('many', different(TOO_MANY)) },
  ];
  try {
    for (const kind of ['http', 'ws'] as const) {
      const taking = servers.filter(({ name }) => kind === 'http' || !name.startsWith('bare'));
      const rates = new Map<Server, Rates[]>(taking.map((server) => [server, []]));
      for (let round = 0; round <= rounds; round++) {
        for (const [at, server] of taking.entries()) {
          step(`${kind}, ${server.name}`, [round * taking.length + at, (rounds + 1) * taking.length]);
          const measured = await measure(load, server, kind, requests);
          if (round > 0) rates.get(server)?.push(measured);
        }
      }
      const all = taking.map((server) => rates.get(server) ?? []);
      for (const [at, server] of taking.entries()) {
        const perSecond = median(all[at]?.map((rate) => rate.perSecond) ?? []);
        const perCpuSecond = median(all[at]?.map((rate) => rate.perCpuSecond) ?? []);
        report.add(
          `${kind}, ${server.name}`,
          perCpuSecond,
          'requests/CPU-second',
          `${Math.round(perSecond)} a second, elapsed`,
        );
      }
      // Per round, because the machine's other load changes between rounds.
      const compare = (name: string, [of, to]: readonly (readonly Rates[] | undefined)[]) => {
        const ratios = (of ?? []).map(({ perCpuSecond }, round) => perCpuSecond / (to?.[round]?.perCpuSecond ?? NaN));
        const range = [Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(2)).join(' to ');
        report.add(`${kind}, ${name}`, median(ratios), 'of its rate per core', `rounds: ${range}`);
      };
      const [again, anvils, some, floor] = all;
      const another = all.at(-1);
      compare('keystead / anvil, one uncle again and again', [again, anvils]);
      compare(`keystead / anvil, ${REMEMBERED} uncles by turns`, [some, anvils]);
      compare('keystead / anvil, another each time', [another, anvils]);
      if (kind !== 'http') continue;
      compare('keystead / bare node:http', [again, floor]);
      compare('bare node:http / anvil', [floor, anvils]);
    }
  } finally {
    for (const child of new Set(servers.map((server) => server.child))) {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    }
  }
}
