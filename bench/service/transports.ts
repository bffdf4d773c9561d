import { spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { cpuSeconds } from '../cpu';
import { step } from '../progress';
import type { Report } from '../report';
import { bundle, freePort, start } from './programs';

const root = resolve(import.meta.dirname, '../..');
/** Numbers of connections: as many as a busy service has, and as few as most users have. */
const CONNECTIONS = [64, 4, 1] as const;

/** A server to measure, and its requests: a file of bodies, one per line. */
type Server = { name: string; child: ChildProcess; url: (kind: Kind) => string; bodies: string };
type Kind = 'http' | 'ws';
type Rates = { perSecond: number; perCpuSecond: number; p99: number };

async function measure(
  load: string,
  { child, url, bodies }: Server,
  kind: Kind,
  connections: number,
  requests: number,
): Promise<Rates> {
  const before = cpuSeconds(child.pid ?? 0);
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [load, kind, url(kind), bodies, String(connections), String(requests)],
    { encoding: 'utf8', timeout: 300_000 },
  );
  if (status !== 0) throw new Error(`the load generator failed: ${stderr}`);
  const [seconds = NaN, p99 = NaN] = stdout.split(' ').map(Number);
  return { perSecond: requests / seconds, perCpuSecond: requests / (cpuSeconds(child.pid ?? 0) - before), p99 };
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

const AGAIN = 'keystead, one uncle again and again';
const ANVIL = 'anvil, null';
const BARE = 'bare node:http and ws';
const BARE_NET = 'bare node:net';
const ANOTHER = 'keystead, another uncle each time';

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
const SOME = `keystead, ${REMEMBERED} uncles by turns`;

/**
 * Requests over HTTP and WebSocket: this service answering uncles, anvil answering null, and bare servers on node:http
 * with ws and on node:net, in turn. With few connections, only this service and the bare server on node:http take part.
 * The service caches recent uncles, so it is measured with one uncle repeatedly, with as many as it caches, and with so
 * many that none is cached. Rates are compared per second of processor time, because anvil uses all cores and the
 * machine does other work, too. A ratio is the median over the rounds.
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
    { name: AGAIN, ...own, bodies: one },
    {
      name: ANVIL,
      child: await start(
        existsSync(anvil) ? anvil : 'anvil',
        ['--port', anvilPort, '--silent'],
        `http://${address(anvilPort)}/`,
      ),
      url: (kind) => `${kind}://${address(anvilPort)}/`,
      bodies: asking('none', [0]),
    },
    { name: SOME, ...own, bodies: asking('some', different(REMEMBERED)) },
    {
      name: BARE,
      child: await start(process.execPath, [bare, barePort], `http://${address(barePort)}/`),
      url: (kind) => `${kind}://${address(barePort)}/`,
      bodies: one,
    },
    {
      name: BARE_NET,
      child: await start(process.execPath, [bareNet, bareNetPort], `http://${address(bareNetPort)}/`),
      url: () => `http://${address(bareNetPort)}/`,
      bodies: one,
    },
    { name: ANOTHER, ...own, bodies: asking('many', different(TOO_MANY)) },
  ];
  try {
    for (const kind of ['http', 'ws'] as const)
      for (const connections of CONNECTIONS) {
        const isFew = connections < CONNECTIONS[0];
        const taking = servers.filter(({ name }) =>
          isFew ? name === AGAIN || name === BARE : kind === 'http' || name !== BARE_NET,
        );
        const rates = new Map<Server, Rates[]>(taking.map((server) => [server, []]));
        for (let round = 0; round <= rounds; round++) {
          for (const [at, server] of taking.entries()) {
            step(`${kind}, ${connections}, ${server.name}`, [round * taking.length + at, (rounds + 1) * taking.length]);
            const measured = await measure(load, server, kind, connections, isFew ? requests / 4 : requests);
            if (round > 0) rates.get(server)?.push(measured);
          }
        }
        const by = (name: string) => [...rates].find(([server]) => server.name === name)?.[1] ?? [];
        const title = `${kind}, ${connections} ${connections === 1 ? 'connection' : 'connections'}`;
        for (const { name } of taking) {
          const [perSecond, perCpuSecond, p99] = (['perSecond', 'perCpuSecond', 'p99'] as const).map((figure) =>
            median(by(name).map((rate) => rate[figure])),
          ) as [number, number, number];
          report.add(
            `${title}, ${name}`,
            perCpuSecond,
            'requests/CPU-second',
            `${Math.round(perSecond)} a second, elapsed; p99 ${p99.toFixed(2)} ms`,
          );
        }
        // Per round, because the machine's other load changes between rounds.
        const compare = (name: string, of: readonly Rates[], to: readonly Rates[]) => {
          const ratiosOf = (figure: keyof Rates) =>
            of.map((rate, round) => rate[figure] / (to[round]?.[figure] ?? NaN));
          const ratios = ratiosOf('perCpuSecond');
          const range = [Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(2)).join(' to ');
          const elapsed = `${median(ratiosOf('perSecond')).toFixed(2)} elapsed, p99 ${median(ratiosOf('p99')).toFixed(2)} times`;
          report.add(`${title}, ${name}`, median(ratios), 'of its rate per core', `rounds: ${range}; ${elapsed}`);
        };
        compare(`keystead / ${BARE}`, by(AGAIN), by(BARE));
        if (isFew) continue;
        compare('keystead / anvil, one uncle again and again', by(AGAIN), by(ANVIL));
        compare(`keystead / anvil, ${REMEMBERED} uncles by turns`, by(SOME), by(ANVIL));
        compare('keystead / anvil, another each time', by(ANOTHER), by(ANVIL));
        compare(`${BARE} / anvil`, by(BARE), by(ANVIL));
      }
  } finally {
    for (const child of new Set(servers.map((server) => server.child))) {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    }
  }
}
