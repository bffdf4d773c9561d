import { spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { cpuSeconds } from '../cpu';
import { step } from '../progress';
import { type Figures } from './figures';
import { bundle, freePort, start } from './programs';

/** Numbers of connections: as many as a busy service has, and as few as most users have. */
const CONNECTIONS = [64, 4] as const;

/** A server to measure. */
type Server = { name: string; child: ChildProcess; url: (kind: Kind) => string };
type Kind = 'http' | 'ws';
type Rates = { perSecond: number; perCpuSecond: number; p99: number };

const OURS = 'keystead, one uncle again and again';
const BARE = 'bare node:http and ws';

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

/** What to serve, and how much to measure. */
export type TransportsOptions = {
  /** Data directory with an archive whose blocks have one uncle each. */
  dataDir: string;
  /** Folder for bundles and the request's file. */
  folder: string;
  /** Requests per measurement. */
  requests: number;
  /** Measurements per server, after an uncounted one. */
  rounds: number;
};

/** Starts this service, with a key that may send everything. */
async function startOurs(cli: string, dataDir: string, folder: string): Promise<Server> {
  const create = [cli, 'keys', 'create', '--credits', '9007199254740991', '--json', '--data-dir', dataDir];
  const { key } = JSON.parse(spawnSync(process.execPath, create, { encoding: 'utf8' }).stdout) as { key: string };
  const port = await freePort();
  const config = join(folder, 'config.json');
  writeFileSync(config, JSON.stringify({ rpc: { limits: { keyPerSecond: 1e9, keyBurst: 1e9 } } }));
  const serve = [cli, 'serve', '--rpc-port', port, '--storage-port', '0', '--data-dir', dataDir, '--config', config];
  return {
    name: OURS,
    child: await start(process.execPath, serve, `http://127.0.0.1:${port}/health`),
    url: (kind) => `${kind}://127.0.0.1:${port}/${kind === 'ws' ? 'ws/v3' : 'v3'}/${key}`,
  };
}

async function startBare(program: string): Promise<Server> {
  const port = await freePort();
  const address = `127.0.0.1:${port}`;
  const child = await start(process.execPath, [program, port], `http://${address}/`);
  return { name: BARE, child, url: (kind) => `${kind}://${address}/` };
}

/**
 * Requests over HTTP and WebSocket: this service and a bare server on node:http with ws, in turn. Rates are compared
 * per second of processor time, because the machine does other work, too. A ratio is the median over the rounds.
 */
export async function benchTransports(
  figures: Figures,
  { dataDir, folder, requests, rounds }: TransportsOptions,
): Promise<void> {
  const { cli, load, bare } = bundle({
    cli: 'src/service/cli/main.ts',
    load: 'bench/service/load.ts',
    bare: 'bench/service/bare.ts',
  });
  const body = join(folder, 'request');
  const method = 'eth_getUncleByBlockNumberAndIndex';
  writeFileSync(body, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: ['0x29c', '0x0'] }));

  const measure = ({ child, url }: Server, kind: Kind, connections: number, count: number): Rates => {
    const before = cpuSeconds(child.pid ?? 0);
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      [load, kind, url(kind), body, String(connections), String(count)],
      { encoding: 'utf8', timeout: 300_000 },
    );
    if (status !== 0) throw new Error(`the load generator failed: ${stderr}`);
    const [seconds = NaN, p99 = NaN] = stdout.split(' ').map(Number);
    return { perSecond: count / seconds, perCpuSecond: count / (cpuSeconds(child.pid ?? 0) - before), p99 };
  };

  const servers = [await startOurs(cli, dataDir, folder), await startBare(bare)];
  try {
    for (const kind of ['http', 'ws'] as const)
      for (const connections of CONNECTIONS) {
        const title = `${kind}, ${connections} connections`;
        const count = connections === CONNECTIONS[0] ? requests : requests / 4;
        const rates = servers.map((): Rates[] => []);
        for (let round = 0; round <= rounds; round++)
          for (const [at, server] of servers.entries()) {
            step(`${title}, ${server.name}`, [round * servers.length + at, (rounds + 1) * servers.length]);
            const measured = measure(server, kind, connections, count);
            if (round > 0) rates[at]?.push(measured);
          }
        for (const [at, { name }] of servers.entries()) {
          const [perSecond, perCpuSecond, p99] = (['perSecond', 'perCpuSecond', 'p99'] as const).map((figure) =>
            median((rates[at] ?? []).map((rate) => rate[figure])),
          ) as [number, number, number];
          const note = `${Math.round(perSecond)} a second, elapsed; p99 ${p99.toFixed(2)} ms`;
          figures.add(`${title}, ${name}`, perCpuSecond, 'requests/CPU-second', note);
        }
        // Per round, because the machine's other load changes between rounds.
        const [ours = [], theirs = []] = rates;
        const ratiosOf = (figure: keyof Rates) =>
          ours.map((rate, round) => rate[figure] / (theirs[round]?.[figure] ?? NaN));
        const ratios = ratiosOf('perCpuSecond');
        const range = [Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(2)).join(' to ');
        const elapsed = `${median(ratiosOf('perSecond')).toFixed(2)} elapsed, p99 ${median(ratiosOf('p99')).toFixed(2)} times`;
        const note = `rounds: ${range}; ${elapsed}`;
        figures.add(`${title}, keystead / ${BARE}`, median(ratios), 'of its rate per core', note);
      }
  } finally {
    for (const { child } of servers) {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    }
  }
}
