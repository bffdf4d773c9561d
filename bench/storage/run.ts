/**
 * Measures the storage service beside the speed of SHA2-256, beside a bare node:http server that hashes and writes, and
 * beside ipfs-unixfs-importer over blockstore-fs, in one run: `npx tsx bench/storage/run.ts [MiB]`. The peers are measured
 * when `npm ci` was run in this folder.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { buildSync } from 'esbuild';
import { StorageClient } from '../../src/clients/storage';
import { cpuSeconds } from '../cpu';
import { type Figure, main, Report } from '../report';
import { addSeconds, catSeconds, rate } from './load';

const MIB = 1 << 20;
const HERE = dirname(fileURLToPath(import.meta.url));
const SMALL_SECONDS = 4;
const CONNECTIONS = 16;

const HASHER = `const { workerData, parentPort } = require('node:worker_threads');
const { createHash } = require('node:crypto');
for (let at = 0; at < workerData.length; at += 262144) createHash('sha256').update(workerData.subarray(at, at + 262144)).digest();
parentPort.postMessage(0);`;

/** SHA2-256 of 256 KiB blocks on `threads` threads: MiB a second of elapsed and of processor time. */
async function hashLimit(content: Uint8Array, threads: number): Promise<{ elapsed: number; cpu: number }> {
  const share = Math.floor(content.length / threads);
  const parts = Array.from({ length: threads }, (_, index) => {
    const shared = new Uint8Array(new SharedArrayBuffer(share));
    shared.set(content.subarray(index * share, (index + 1) * share));
    return shared;
  });
  const start = performance.now();
  const before = process.cpuUsage();
  await Promise.all(
    parts.map((workerData) => once(new Worker(HASHER, { eval: true, workerData, execArgv: [] }), 'message')),
  );
  const { user, system } = process.cpuUsage(before);
  const mib = content.length / MIB;
  return { elapsed: mib / ((performance.now() - start) / 1000), cpu: mib / ((user + system) / 1e6) };
}

type Served = { readonly port: number; readonly child: ChildProcess; readonly stop: () => Promise<void> };

/** Starts one of the servers here as one file, so that no loader counts into its memory. */
async function serve(entry: string, ...args: string[]): Promise<Served> {
  const dataDir = await mkdtemp(join(tmpdir(), 'storage-bench-'));
  const outfile = join(dataDir, 'server.mjs');
  buildSync({
    entryPoints: [join(HERE, entry)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
  const child = spawn(process.execPath, [outfile, dataDir, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const exited = once(child, 'exit');
  return {
    port: Number(line.toString()),
    child,
    stop: async () => {
      child.kill('SIGKILL');
      await exited;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Most memory a process ever had resident, MiB. */
async function peakMemory({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? NaN) / 1024;
}

/** Runs a job against a server; its own result and the processor time the server took. */
async function timed<T>({ child }: Served, job: () => Promise<T>): Promise<{ result: T; cpu: number }> {
  const before = cpuSeconds(child.pid ?? 0);
  const result = await job();
  return { result, cpu: cpuSeconds(child.pid ?? 0) - before };
}

const elapsed = (value: number, unit: string) => `${Math.round(value)} ${unit}, elapsed`;

async function measureFloor(report: Report, content: Uint8Array): Promise<number> {
  const served = await serve('floor.ts');
  const mib = content.length / MIB;
  const { result, cpu } = await timed(served, () => addSeconds(served.port, content));
  report.add('floor: bare server, hash and write', mib / cpu, 'MiB/CPU-second', elapsed(mib / result, 'MiB/s'));
  await served.stop();
  return mib / cpu;
}

async function measureService(
  report: Report,
  content: Uint8Array,
  durable: boolean,
  limit: { oneCore: number; floor: number },
): Promise<void> {
  const served = await serve('serve.ts', String(durable));
  const { port, child } = served;
  const name = durable ? 'durable' : 'not durable';
  const client = new StorageClient({ url: `http://127.0.0.1:${port}` });
  const mib = content.length / MIB;
  const warm = await client.add(randomBytes(MIB));
  await catSeconds(port, warm.cid);

  const add = await timed(served, () => addSeconds(port, content));
  report.add(`add, ${name}`, mib / add.cpu, 'MiB/CPU-second', elapsed(mib / add.result, 'MiB/s'));
  report.add(`add, ${name}, elapsed`, mib / add.result / limit.oneCore, "of one core's hash limit, elapsed");
  report.add(`add, ${name}, of the floor`, mib / add.cpu / limit.floor, 'of the bare server, processor time');
  report.add(`add, ${name}, peak memory`, await peakMemory(child), 'MiB');

  const { cid } = await client.add(content, { onlyHash: true });
  const cat = await timed(served, () => catSeconds(port, cid));
  report.add(`cat, ${name}`, mib / cat.cpu, 'MiB/CPU-second', elapsed(mib / cat.result, 'MiB/s'));
  report.add(`cat, ${name}, peak memory`, await peakMemory(child), 'MiB');

  let serial = 0;
  const small = () => Buffer.concat([createHash('sha256').update(`${serial++}`).digest(), Buffer.alloc(992)]);
  const request = () => ({ path: 'add', content: small() });
  await rate(port, CONNECTIONS, 1, request);
  const smallAdd = await timed(served, () => rate(port, CONNECTIONS, SMALL_SECONDS, request));
  const added = smallAdd.result * SMALL_SECONDS;
  report.add(
    `add of 1 KiB, 16 connections, ${name}`,
    added / smallAdd.cpu,
    '/CPU-second',
    elapsed(smallAdd.result, '/s'),
  );
  const { cid: smallCid } = await client.add(small());
  const smallCat = await timed(served, () =>
    rate(port, CONNECTIONS, SMALL_SECONDS, () => ({ path: `cat?arg=${smallCid}` })),
  );
  const read = smallCat.result * SMALL_SECONDS;
  report.add(
    `cat of 1 KiB, 16 connections, ${name}`,
    read / smallCat.cpu,
    '/CPU-second',
    elapsed(smallCat.result, '/s'),
  );
  report.add(`peak memory in the end, ${name}`, await peakMemory(child), 'MiB');
  await served.stop();
}

/** How long a synced write takes: what durable small adds wait for, twice each. */
async function measureSync(report: Report): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'storage-bench-sync-'));
  const { open } = await import('node:fs/promises');
  const file = await open(join(directory, 'f'), 'w');
  const times: number[] = [];
  for (let round = 0; round < 200; round++) {
    const start = performance.now();
    await file.write(Buffer.alloc(4096));
    await file.datasync();
    times.push(performance.now() - start);
  }
  await file.close();
  await rm(directory, { recursive: true });
  times.sort((a, b) => a - b);
  report.add('disk: append of 4 KiB and fdatasync, median', times[100] ?? NaN, 'ms');
}

async function measurePeers(report: Report, content: Uint8Array): Promise<void> {
  if (!existsSync(join(HERE, 'node_modules', 'blockstore-fs'))) {
    process.stderr.write('peers: not installed (npm ci in bench/storage)\n');
    return;
  }
  const { importFile, exportFile, close } = await import('./peers.mjs');
  const directory = await mkdtemp(join(tmpdir(), 'storage-bench-fs-'));
  const mib = content.length / MIB;
  const measure = async <T>(name: string, job: () => Promise<T>): Promise<T> => {
    const [start, before] = [performance.now(), process.cpuUsage()];
    const result = await job();
    const { user, system } = process.cpuUsage(before);
    const rateElapsed = mib / ((performance.now() - start) / 1000);
    report.add(name, mib / ((user + system) / 1e6), 'MiB/CPU-second', elapsed(rateElapsed, 'MiB/s'));
    return result;
  };
  const cid = await measure('importer + blockstore-fs: add (no HTTP)', () => importFile(content, directory));
  await measure('exporter + blockstore-fs: cat (no HTTP)', () => exportFile(cid));
  await close();
  await rm(directory, { recursive: true, force: true });
}

/** What the storage service does on this machine at its load, beside limits and peers. @param mebibytes of the large file. */
export async function run(mebibytes = 256): Promise<readonly Figure[]> {
  const report = new Report();
  const content = randomBytes(mebibytes * MIB);
  const one = await hashLimit(content, 1);
  report.add('limit: SHA2-256, one thread', one.cpu, 'MiB/CPU-second', elapsed(one.elapsed, 'MiB/s'));
  const two = await hashLimit(content, 2);
  report.add('limit: SHA2-256, two threads', two.cpu, 'MiB/CPU-second', elapsed(two.elapsed, 'MiB/s'));
  await measureSync(report);
  const floor = await measureFloor(report, content);
  for (const durable of [false, true]) {
    await measureService(report, content, durable, { oneCore: one.elapsed, floor });
  }
  await measurePeers(report, content);
  return report.end();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(() => run(Number(process.argv[2] ?? 256)));
