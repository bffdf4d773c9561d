import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { archiveDir } from '../../src/service/chain/archive/catalog';
import { step } from '../progress';
import type { Report } from '../report/report';
import { writeSynthetic } from './archive';
import { bundle, freePort, start, uncleList } from './programs';

/** What 64 clients with valid keys do meanwhile. */
const ATTACKS = [
  'nested JSON',
  'flat array',
  'huge batches',
  'look-ups',
  'slow bodies',
  'endless sockets',
  'WebSocket frames',
  'upgrade offers',
  'pipelined offers',
  'unread answers',
  'storage walks',
  'gateway files',
] as const;

const IDLE = 'nothing';

const CLIENTS = 64;
const BLOCKS = 20_000;

/** Pause of the honest client between two look-ups, in milliseconds: within the rate of a key. */
const PAUSE_MS = 12;
const LIVEZ_MS = 50;
/** Time for an attack to use up what its keys may do at once. */
const SETTLE_MS = 3000;

/** The time after which the service must be as before, once an attack has ended. */
const AFTERWARDS_MS = 1000;

/** An answer of the node in the bench. */
const LARGE_ANSWER = 30 << 20;

/** Response times in milliseconds, ascending. */
type Times = { lookUps: number[]; livez: number[]; failed: number };

/** Open descriptors of a process, and its resident memory in MiB. */
type Usage = { descriptors: number; memory: number };

function usageOf({ pid }: ChildProcess): Usage {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return {
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    memory: Math.round(Number(/^VmRSS:\s+(\d+)/mu.exec(status)?.[1]) / 1024),
  };
}

/** Starts a node whose answers are large. */
async function startLargeNode(): Promise<Server> {
  const result = JSON.stringify('x'.repeat(LARGE_ANSWER));
  const server = createServer((sent, response) => {
    let body = '';
    sent.on('data', (piece: Buffer) => (body += piece.toString()));
    sent.on('end', () => {
      const { id, method } = JSON.parse(body) as { id: number; method: string };
      response.end(`{"jsonrpc":"2.0","id":${id},"result":${method === 'eth_getLogs' ? result : '"0x1"'}}`);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const percentile = (sorted: readonly number[], part: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;

/** Sends one request and resolves to the milliseconds it took, NaN if it was not answered with 200. */
function timed(url: string, agent: Agent, body?: string): Promise<number> {
  const started = performance.now();
  return new Promise((resolve) => {
    const sent = request(url, {
      agent,
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json' },
    });
    sent.on('response', (response) => {
      response.resume().on('end', () => {
        resolve(response.statusCode === 200 ? performance.now() - started : NaN);
      });
    });
    sent.on('error', () => {
      resolve(NaN);
    });
    sent.end(body);
  });
}

/** Asks again and again for some time, one request after the other. */
async function ask(ms: number, pause: number, once: () => Promise<number>): Promise<number[]> {
  const times: number[] = [];
  for (const until = performance.now() + ms; performance.now() < until; await delay(pause)) times.push(await once());
  return times;
}

/** An honest client with a kept connection, and a probe. */
async function measure(url: string, key: string, ms: number): Promise<Times> {
  const [agent, probe] = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })];
  const params = ['0x29c', '0x0'];
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getUncleByBlockNumberAndIndex', params });
  const [lookUps, livez] = await Promise.all([
    ask(ms, PAUSE_MS, () => timed(`${url}/v3/${key}`, agent, body)),
    ask(ms, LIVEZ_MS, () => timed(`${url}/livez`, probe)),
  ]);
  agent.destroy();
  probe.destroy();
  const answered = (times: number[]) => times.filter((time) => !Number.isNaN(time)).sort((a, b) => a - b);
  const failed = [...lookUps, ...livez].filter(Number.isNaN).length;
  return { lookUps: answered(lookUps), livez: answered(livez), failed };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal);
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/**
 * Measures an honest key's look-ups, and `/livez`, while nobody else asks and during each attack. The service runs with
 * its default limits. The attackers run in one process with the lowest priority, because clients and server share the
 * machine's cores: otherwise the table would show who gets the processor.
 */
export async function benchAbuse({ quick }: { quick: boolean }): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'keystead-bench-'));
  const ms = quick ? 2000 : 15_000;
  const programs = bundle({ cli: 'src/service/cli/main.ts', hostile: 'bench/service/hostile-clients.ts' });
  const dataDir = join(folder, 'served');
  const config = join(folder, 'config.json');
  const file = join(folder, 'keys');
  const node = process.execPath;
  let service: ChildProcess | undefined;
  let upstream: Server | undefined;
  try {
    writeSynthetic(archiveDir(dataDir, 'mainnet'), uncleList(), BLOCKS);
    const [port, storagePort, gatewayPort] = [await freePort(), await freePort(), await freePort()];
    upstream = await startLargeNode();
    const networks = [
      { name: 'mainnet', chainId: 1, upstream: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}` },
    ];
    const storage = { port: Number(storagePort), gateway: { port: Number(gatewayPort) } };
    writeFileSync(config, JSON.stringify({ log: { level: 'error' }, networks, storage }));
    const create = [programs.cli, 'keys', 'create', '--credits', '9007199254740991', '--json', '--data-dir', dataDir];
    const keys = Array.from({ length: CLIENTS + 1 }, () => {
      const { stdout } = spawnSync(node, create, { encoding: 'utf8' });
      return JSON.parse(stdout) as { key: string; secret: string };
    });
    const [{ key: honest } = { key: '' }, ...hostile] = keys;
    const url = `http://127.0.0.1:${port}`;
    const others = { storage: `http://127.0.0.1:${storagePort}`, gateway: `http://127.0.0.1:${gatewayPort}` };
    writeFileSync(file, JSON.stringify({ rpc: url, ...others, keys: hostile }));
    const serve = [programs.cli, 'serve', '--rpc-port', port, '--data-dir', dataDir, '--config', config];
    service = await start(node, serve, `${url}/livez`);

    const taken: [string, Times, Usage[]][] = [];
    await measure(url, honest, ms / 4);
    // First and last nobody else asks: the first row includes what the service still had to compile.
    for (const [at, attack] of ([IDLE, ...ATTACKS, IDLE] as const).entries()) {
      step(attack, [at, ATTACKS.length + 2]);
      const clients =
        attack === IDLE
          ? undefined
          : spawn('nice', ['-n', '19', node, programs.hostile, attack, file], { stdio: 'inherit' });
      const before = usageOf(service);
      await delay(SETTLE_MS);
      const times = await measure(url, honest, ms);
      const during = usageOf(service);
      if (clients) await end(clients, 'SIGKILL');
      await delay(AFTERWARDS_MS);
      taken.push([attack, times, [before, during, usageOf(service)]]);
      await delay(SETTLE_MS);
    }

    const idle = Math.min(
      ...taken.flatMap(([attack, { lookUps }]) => (attack === IDLE ? percentile(lookUps, 0.99) : [])),
    );
    const rows = taken.map(([attack, { lookUps, livez, failed }, usages]) => [
      attack,
      String(lookUps.length),
      percentile(lookUps, 0.5).toFixed(2),
      percentile(lookUps, 0.99).toFixed(2),
      (percentile(lookUps, 0.99) / idle).toFixed(1),
      percentile(livez, 0.99).toFixed(2),
      (livez.at(-1) ?? NaN).toFixed(2),
      String(failed),
      usages.map(({ descriptors }) => descriptors).join(', '),
      usages.map(({ memory }) => memory).join(', '),
    ]);
    return {
      tables: [
        {
          title: 'An honest key during attacks',
          columns: [
            `what ${CLIENTS} clients do`,
            'look-ups',
            'p50, ms',
            'p99, ms',
            'p99 / lower idle p99',
            '/livez p99, ms',
            '/livez max, ms',
            'not answered',
            'descriptors before, during, 1 s after',
            'resident MiB before, during, 1 s after',
          ],
          rows,
        },
      ],
      data: { attacks: rows },
      notes: [
        `One honest client sends a look-up every ${PAUSE_MS} ms on a kept connection, and a probe asks \`/livez\` every ${LIVEZ_MS} ms, ${ms / 1000} s for each row. The service runs with its default limits. The ${CLIENTS} attackers have a valid key each, run in one process, and share the machine's cores with the service, so they run with the lowest priority (\`nice -n 19\`). Offers come from 10,000 connections without a key, unread answers and walks from one key, files of the gateway from one address. The goals: p99 below 5 times its idle value, 3 times for one key or address, \`/livez\` below 100 ms, every request answered, the descriptors one second after an attack within 5 % of those before, at most 256 MiB more during it.`,
      ],
    };
  } finally {
    if (service) await end(service, 'SIGTERM');
    upstream?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
