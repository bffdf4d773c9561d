/**
 * Measures the storage service beside the speed of SHA2-256 and beside ipfs-unixfs-importer over blockstore-fs, in one
 * run: `npx tsx bench/storage/run.ts [MiB]`. The peers are measured when `npm ci` was run in this folder.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { buildSync } from 'esbuild';
import { StorageClient } from '../../src/clients/storage';
import { addSeconds, catSeconds, rate } from './load';

const MIB = 1 << 20;
const size = Number(process.argv[2] ?? 256) * MIB;
const HERE = join(process.cwd(), 'bench', 'storage');
const content = randomBytes(size);
const mibPerSecond = (seconds: number) => size / MIB / seconds;
const say = (label: string, value: number, unit: string, against = '') => {
  process.stdout.write(`${label.padEnd(46)} ${value.toFixed(value < 10 ? 2 : 0).padStart(8)} ${unit}${against}\n`);
};

const HASHER = `const { workerData, parentPort } = require('node:worker_threads');
const { createHash } = require('node:crypto');
for (let at = 0; at < workerData.length; at += 262144) createHash('sha256').update(workerData.subarray(at, at + 262144)).digest();
parentPort.postMessage(0);`;

/** The service as one file, so that no loader counts into its memory. */
const bundle = join(tmpdir(), `storage-bench-${process.pid}.mjs`);
buildSync({
  entryPoints: [join(HERE, 'serve.ts')],
  outfile: bundle,
  bundle: true,
  platform: 'node',
  format: 'esm',
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
});

/** SHA2-256 of 256 KiB blocks on `threads` threads, MiB a second. */
async function hashLimit(threads: number): Promise<number> {
  const share = Math.floor(size / threads);
  const parts = Array.from({ length: threads }, (_, index) => {
    const shared = new Uint8Array(new SharedArrayBuffer(share));
    shared.set(content.subarray(index * share, (index + 1) * share));
    return shared;
  });
  const start = performance.now();
  await Promise.all(
    parts.map((workerData) => once(new Worker(HASHER, { eval: true, workerData, execArgv: [] }), 'message')),
  );
  return mibPerSecond((performance.now() - start) / 1000);
}

type Served = { readonly port: number; readonly child: ChildProcess; readonly stop: () => Promise<void> };

async function serve(durable: boolean): Promise<Served> {
  const dataDir = await mkdtemp(join(tmpdir(), 'storage-bench-'));
  const child = spawn(process.execPath, [bundle, dataDir, String(durable)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { stdout } = child;
  const [line] = (await once(stdout, 'data')) as [Buffer];
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
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? NaN) / 1024;
}

/** Processor time of all its threads so far. */
async function cpuSeconds({ pid }: ChildProcess): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function measureService(oneCore: number): Promise<void> {
  for (const durable of [false, true]) {
    const name = durable ? 'durable' : 'not durable';
    const { port, child, stop } = await serve(durable);
    const { cid } = await new StorageClient({ url: `http://127.0.0.1:${port}` }).add(randomBytes(MIB));
    await catSeconds(port, cid);
    const before = await cpuSeconds(child);
    const seconds = await addSeconds(port, content);
    say('processor time of it', (await cpuSeconds(child)) - before, 's');
    say(
      `add, ${name}`,
      mibPerSecond(seconds),
      'MiB/s',
      ` = ${(mibPerSecond(seconds) / oneCore).toFixed(2)} of one core's hash limit`,
    );
    say(`peak memory after that`, await peakMemory(child), 'MiB');
    const root = await new StorageClient({ url: `http://127.0.0.1:${port}` }).add(content, { onlyHash: true });
    say(`cat, ${name}`, mibPerSecond(await catSeconds(port, root.cid)), 'MiB/s');
    let serial = 0;
    const small = () => Buffer.concat([createHash('sha256').update(`${serial++}`).digest(), Buffer.alloc(992)]);
    say(
      `add of 1 KiB, 16 connections, ${name}`,
      await rate(port, 16, 3, () => ({ path: 'add', content: small() })),
      '/s',
    );
    const { cid: smallCid } = await new StorageClient({ url: `http://127.0.0.1:${port}` }).add(small());
    say(`cat of 1 KiB, 16 connections`, await rate(port, 16, 3, () => ({ path: `cat?arg=${smallCid}` })), '/s');
    say(`peak memory in the end`, await peakMemory(child), 'MiB');
    await stop();
  }
}

async function measurePeers(): Promise<void> {
  if (!existsSync(join(HERE, 'node_modules', 'blockstore-fs'))) {
    process.stdout.write('peers: not installed (npm ci in bench/storage)\n');
    return;
  }
  const { importFile, exportFile, close } = await import('./peers.mjs');
  const directory = await mkdtemp(join(tmpdir(), 'storage-bench-fs-'));
  let start = performance.now();
  const cid = await importFile(content, directory);
  say('importer + blockstore-fs: add (no HTTP)', mibPerSecond((performance.now() - start) / 1000), 'MiB/s');
  start = performance.now();
  await exportFile(cid);
  say('exporter + blockstore-fs: cat (no HTTP)', mibPerSecond((performance.now() - start) / 1000), 'MiB/s');
  await close();
  await rm(directory, { recursive: true, force: true });
}

const oneCore = await hashLimit(1);
say('limit: SHA2-256 on one core', oneCore, 'MiB/s');
say('limit: SHA2-256 on two cores', await hashLimit(2), 'MiB/s');
await measureService(oneCore);
await measurePeers();
await rm(bundle);
