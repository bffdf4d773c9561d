import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { WebSocket } from 'ws';

import { archiveDir } from '../../../src/service/chain/archive/catalog';
import { importArchive } from '../../../src/service/chain/archive/import';
import { localPool } from '../../../src/service/chain/archive/pool';
import { findSources } from '../../../src/service/chain/archive/sniff';
import { bundled } from '../bundled';
import { untilOutput } from './until-output';

/** Both Jest and npm start in the root of the repository. */
const ROOT = process.cwd();
const NETWORK = 'hivechain';
const BATCH = 100;
const LANES = 4;
const ADD_LANES = 16;
const ADD_BYTES = 1024;

/** Memory of the service at one moment, MiB. */
export type Sample = {
  readonly at: string;
  readonly resident: number;
  readonly heap: number;
  readonly external: number;
};

type Answer = { readonly id: number; readonly result?: unknown; readonly error?: { readonly code: number } };

export type SoakOptions = {
  readonly lookups: number;
  readonly adds: number;
  /** Called with each sample. */
  readonly onSample?: (sample: Sample) => void;
};

export type SoakResult = {
  /** One sample after the start, and one after each quarter of a phase. The first quarter is the warm-up. */
  readonly start: Sample;
  readonly lookups: readonly Sample[];
  readonly adds: readonly Sample[];
  /** The wrong answers. */
  readonly wrong: readonly string[];
};

type Service = {
  child: ChildProcess;
  rpc: string;
  operations: string;
  storage: string;
  key: string;
  authorization: string;
};

async function start(program: string, dataDir: string): Promise<Service> {
  const config = join(dataDir, 'config.json');
  const settings = {
    dataDir,
    // One key sends everything.
    rpc: { port: 0, limits: { keyPerSecond: 1e9, keyBurst: 1e9 } },
    storage: { port: 0 },
    log: { level: 'error' },
    credits: { daily: Number.MAX_SAFE_INTEGER },
    networks: [{ name: NETWORK, chainId: 7, lastPowBlock: 35 }],
  };
  writeFileSync(config, JSON.stringify(settings));
  const child = spawn(process.execPath, [program, 'serve', '--config', config, '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await untilOutput(child, /^\{.*\}\n/mu);
  const { key, secret, addresses } = JSON.parse(line) as {
    key: string;
    secret: string;
    addresses: { label: string; url: string }[];
  };
  const url = (label: string) => addresses.find((address) => address.label === label)?.url ?? '';
  const authorization = `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`;
  return { child, rpc: url('RPC'), operations: url('Operations'), storage: url('Storage'), key, authorization };
}

async function sampleOf({ child, operations }: Service, at: string): Promise<Sample> {
  const metrics = await (await fetch(`${operations}/metrics`)).text();
  const metric = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'mu').exec(metrics)?.[1]) / 2 ** 20;
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  const resident = Number(/VmRSS:\s+(\d+)/u.exec(status)?.[1]) / 1024;
  const heap = metric('nodejs_heap_size_used_bytes');
  return { at, resident, heap, external: metric('nodejs_external_memory_bytes') };
}

async function send(agent: Agent, url: string, headers: Record<string, string>, body: string | Buffer) {
  const sent = request(url, {
    method: 'POST',
    agent,
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
  });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, body: await text(response) };
}

type Question = { readonly body: object; readonly isRight: (answer: Answer) => boolean };

/** The requests of a soak, in turn: hits, misses and mistakes. Block 29 of the test chain has one uncle, block 28. */
function question(id: number): Question {
  const ask = (params: unknown[], isRight: Question['isRight']) => ({
    body: { jsonrpc: '2.0', id, method: 'eth_getUncleByBlockNumberAndIndex', params },
    isRight,
  });
  const isNull = ({ result }: Answer) => result === null;
  switch (id % 5) {
    case 0:
    case 1:
      return ask(['0x1d', '0x0'], ({ result }) => (result as { number?: string } | undefined)?.number === '0x1c');
    case 2:
      return ask(['0x1d', '0x9'], isNull);
    case 3:
      return ask([`0x${(1000 + id).toString(16)}`, '0x0'], isNull);
    default:
      return ask(['0x01', '0x0'], ({ error }) => error?.code === -32602);
  }
}

function judge(wrong: string[], id: number, answer: Answer | undefined): void {
  if (answer !== undefined && question(id).isRight(answer)) return;
  if (wrong.length < 10) wrong.push(`${id}: ${JSON.stringify(answer)}`);
}

/** Look-ups in batches over HTTP, on a few connections. */
async function overHttp({ rpc, key }: Service, from: number, to: number, wrong: string[]): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: LANES });
  let next = from;
  const lane = async () => {
    while (next < to) {
      const first = next;
      next = Math.min(to, first + BATCH);
      const ids = Array.from({ length: next - first }, (_, i) => first + i);
      const body = JSON.stringify(ids.map((id) => question(id).body));
      const answer = await send(agent, `${rpc}/v3/${key}`, { 'content-type': 'application/json' }, body);
      const answers = new Map((JSON.parse(answer.body) as Answer[]).map((each) => [each.id, each]));
      for (const id of ids) judge(wrong, id, answers.get(id));
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  agent.destroy();
}

/** Look-ups over WebSockets, one a frame, with a hundred in flight on each connection. */
async function overSockets({ rpc, key }: Service, from: number, to: number, wrong: string[]): Promise<void> {
  let next = from;
  const lane = async () => {
    const socket = new WebSocket(`${rpc.replace('http', 'ws')}/ws/v3/${key}`);
    await once(socket, 'open');
    let waiting = 0;
    await new Promise<void>((done, failed) => {
      const ask = () => {
        if (next >= to) {
          if (waiting === 0) done();
          return;
        }
        waiting += 1;
        socket.send(JSON.stringify(question(next++).body));
      };
      socket.on('message', (data) => {
        waiting -= 1;
        const answer = JSON.parse((data as Buffer).toString()) as Answer;
        judge(wrong, answer.id, answer);
        ask();
      });
      socket.on('close', () => {
        failed(new Error('the service closed a socket'));
      });
      for (let i = 0; i < BATCH; i++) ask();
      if (waiting === 0) done();
    });
    socket.removeAllListeners('close').terminate();
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

const contentOf = (number: number) =>
  Buffer.concat([createHash('sha256').update(String(number)).digest(), Buffer.alloc(ADD_BYTES - 32, number & 0xff)]);

const form = (content: Buffer) =>
  Buffer.concat([
    Buffer.from('--XbX\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n'),
    content,
    Buffer.from('\r\n--XbX--\r\n'),
  ]);

/** Adds of small files, each pinned; some are read again. */
async function add({ storage, authorization }: Service, from: number, to: number, wrong: string[]): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: ADD_LANES });
  const headers = { authorization, 'content-type': 'multipart/form-data; boundary=XbX' };
  let next = from;
  const lane = async () => {
    while (next < to) {
      const number = next++;
      const content = contentOf(number);
      const added = await send(agent, `${storage}/api/v0/add`, headers, form(content));
      const cid = /"Hash":"(\w+)"/u.exec(added.body)?.[1];
      const read =
        number % 50 === 0 ? await send(agent, `${storage}/api/v0/block/stat?arg=${cid}`, { authorization }, '') : added;
      if ((cid === undefined || read.status !== 200) && wrong.length < 10) wrong.push(`add ${number}: ${added.body}`);
    }
  };
  await Promise.all(Array.from({ length: ADD_LANES }, lane));
  agent.destroy();
}

/**
 * Runs the packaged service in a separate process and measures its memory under load: first uncle look-ups (half in
 * HTTP batches, half over WebSockets; hits, misses and mistakes), then adds of 1 KiB, each durable and pinned. Linux
 * only.
 *
 * @returns The samples and the wrong answers.
 */
export async function soak({ lookups, adds, onSample = () => undefined }: SoakOptions): Promise<SoakResult> {
  const dataDir = mkdtempSync(join(tmpdir(), 'keystead-soak-'));
  const dir = archiveDir(dataDir, NETWORK);
  const paths = [join(ROOT, 'test/service/data/hivechain.rlp')];
  await importArchive({ dir, network: NETWORK, found: findSources(paths), pool: localPool });
  const program = bundled('src/service/cli/main.ts', dataDir);
  const service = await start(program, dataDir);
  try {
    const wrong: string[] = [];
    const sample = async (at: string) => {
      const taken = await sampleOf(service, at);
      onSample(taken);
      return taken;
    };
    const quarters = async (what: string, total: number, work: (from: number, to: number) => Promise<unknown>) => {
      const samples: Sample[] = [];
      for (let quarter = 0; quarter < 4; quarter++) {
        const [from, to] = [quarter, quarter + 1].map((part) => Math.round((total * part) / 4)) as [number, number];
        await work(from, to);
        samples.push(await sample(`${to} ${what}`));
      }
      return samples;
    };
    const started = await sample('start');
    const looked = await quarters('look-ups', lookups, async (from, to) => {
      const middle = Math.round((from + to) / 2);
      await Promise.all([overHttp(service, from, middle, wrong), overSockets(service, middle, to, wrong)]);
    });
    const added = await quarters('adds', adds, (from, to) => add(service, from, to, wrong));
    return { start: started, lookups: looked, adds: added, wrong };
  } finally {
    service.child.kill('SIGKILL');
    await once(service.child, 'exit');
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** The growth of memory from the first sample to the last, in MiB. */
export const growth = (samples: readonly Sample[], of: 'resident' | 'heap' | 'external'): number =>
  (samples.at(-1)?.[of] ?? NaN) - (samples[0]?.[of] ?? NaN);
