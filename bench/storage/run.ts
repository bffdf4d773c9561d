/**
 * Measures the storage service next to the speed of SHA2-256, a bare server that only hashes, one that hashes and
 * writes, and ipfs-unixfs-importer over blockstore-fs, in one run. The peers are measured if `npm ci` was run in this
 * folder.
 */
import { type ChildProcess, execFile, fork } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { StorageClient } from '../../src/clients/storage';
import { cpuSeconds } from '../cpu';
import { numbers } from '../numbers';
import { step } from '../progress';
import { type Figure, main, Report } from '../report';
import { addSeconds, catSeconds, rate } from './load';
import { serve, type Served } from './served';

const MIB = 1 << 20;
/** Maximum MiB of a file that is generated at once. */
const MOST = 2047;
const USAGE = `npm run bench:storage             the storage service with files of 256 MiB
npm run bench:storage -- MIB      with files of another size (${MOST} at most); the disk has to take about 36 of them`;
const HERE = dirname(fileURLToPath(import.meta.url));
const SMALL_SECONDS = 4;
/** Small adds before those that are measured: a store in use has its 1,024 folders, and its code is compiled. */
const WARM_SECONDS = 10;
const CONNECTIONS = 16;
/** Large files that are measured, after some that are not: all programs get faster during the first GiB. */
const FILES = 5;
const COLD_FILES = 4;
/** How often each of them is read after the first time. */
const READS = 3;

const HASHER = `const { workerData, parentPort } = require('node:worker_threads');
const { createHash } = require('node:crypto');
parentPort.once('message', () => {
  for (let at = 0; at < workerData.length; at += 262144) createHash('sha256').update(workerData.subarray(at, at + 262144)).digest();
  parentPort.postMessage(0);
});
parentPort.postMessage(0);`;

/**
 * SHA2-256 of 256 KiB blocks on `threads` threads that are already running: MiB per second of elapsed and of processor
 * time.
 */
async function hashLimit(content: Uint8Array, threads: number): Promise<{ elapsed: number; cpu: number }> {
  const share = Math.floor(content.length / threads);
  const parts = Array.from({ length: threads }, (_, index) => {
    const shared = new Uint8Array(new SharedArrayBuffer(share));
    shared.set(content.subarray(index * share, (index + 1) * share));
    return shared;
  });
  const hashers = parts.map((workerData) => new Worker(HASHER, { eval: true, workerData, execArgv: [] }));
  // Starting a thread takes as long as hashing tens of MiB.
  await Promise.all(hashers.map((hasher) => once(hasher, 'message')));
  const start = performance.now();
  const before = process.cpuUsage();
  await Promise.all(
    hashers.map((hasher) => {
      hasher.postMessage(0);
      return once(hasher, 'message');
    }),
  );
  const { user, system } = process.cpuUsage(before);
  const mib = content.length / MIB;
  return { elapsed: mib / ((performance.now() - start) / 1000), cpu: mib / ((user + system) / 1e6) };
}

/**
 * Gives each program the same system state, whatever ran before. Allocates as much memory as a file of this size will
 * fill, and frees it: a virtual machine whose free memory returns to its host gets it back page by page on first write,
 * which takes longer than the rest of an add. Also syncs data written by others, with which the next program would
 * share the disk.
 */
async function settle(bytes: number): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'storage-bench-memory-'));
  await writeFile(join(directory, 'f'), Buffer.alloc(bytes));
  await rm(directory, { recursive: true });
  await promisify(execFile)('sync');
}

/** Peak resident memory of a process, in MiB. */
async function peakMemory({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? NaN) / 1024;
}

/** Runs a job against a server; returns its result and the processor time the server used. */
async function timed<T>({ child }: Served, job: () => Promise<T>): Promise<{ result: T; cpu: number }> {
  const before = cpuSeconds(child.pid ?? 0);
  const result = await job();
  return { result, cpu: cpuSeconds(child.pid ?? 0) - before };
}

const elapsed = (value: number, unit: string) => `${Math.round(value)} ${unit}, elapsed`;

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;

/** The cost of one file: elapsed seconds and processor seconds. */
type Taken = { readonly seconds: number; readonly cpu: number };

/** The cost of a job on a server. */
async function takenBy(served: Served, job: () => Promise<number>): Promise<Taken> {
  const { result, cpu } = await timed(served, job);
  return { seconds: result, cpu };
}

/**
 * Reports and returns the medians of several files of `mib` MiB each, in MiB per second of elapsed and of processor
 * time.
 */
function addRates(
  report: Report,
  name: string,
  mib: number,
  taken: readonly Taken[],
): { elapsed: number; cpu: number } {
  const rates = taken.map(({ seconds }) => mib / seconds);
  const medians = { elapsed: median(rates), cpu: median(taken.map(({ cpu }) => mib / cpu)) };
  const note = `${elapsed(medians.elapsed, 'MiB/s')}: ${rates.map(Math.round).join(', ')}`;
  report.add(name, medians.cpu, 'MiB/CPU-second', note);
  return medians;
}

/** A measured server, and its results so far. */
type Bare = Served & { readonly name: string; readonly added: Taken[] };
/** A measured store. */
type Measured = Bare & { readonly client: StorageClient; readonly readFirst: Taken[]; readonly read: Taken[] };

const serveBare = async (name: string, ...entry: [string, ...string[]]): Promise<Bare> => ({
  ...(await serve(...entry)),
  name,
  added: [],
});

async function serveMeasured(durable: boolean): Promise<Measured> {
  const served = await serve('serve.ts', String(durable));
  const client = new StorageClient({ url: `http://127.0.0.1:${served.port}` });
  const warm = await client.add(randomBytes(MIB));
  await catSeconds(served.port, warm.cid);
  return { ...served, name: durable ? 'durable' : 'not durable', client, added: [], readFirst: [], read: [] };
}

/**
 * Adds every file to each server in turn, and then reads each file from each store several times. The bare servers are
 * stopped in between.
 */
async function measureLarge(
  report: Report,
  contents: readonly Uint8Array[],
  mib: number,
  { services, bounds, floor }: { services: readonly [Measured, ...Measured[]]; bounds: readonly Bare[]; floor: Bare },
): Promise<void> {
  const peers = await openPeers(mib);
  const imported: Taken[] = [];
  const limits: number[] = [];
  for (const [at, content] of contents.entries()) {
    step('adding files', [at, contents.length]);
    limits.push((await hashLimit(content, 1)).elapsed);
    // Each goes first equally often, because the previous one may leave the system with pending work.
    const inTurn = at % 2 === 0 ? services : services.toReversed();
    for (const each of [...bounds, floor, ...inTurn]) {
      await settle(content.length);
      const taken = await takenBy(each, () => addSeconds(each.port, content));
      if (at >= COLD_FILES) each.added.push(taken);
    }
    await settle(content.length);
    const taken = await peers?.add();
    if (taken && at >= COLD_FILES) imported.push(taken);
  }
  for (const each of [...bounds, floor]) await each.stop();
  const oneCore = median(limits);
  report.add(
    'limit: SHA2-256, one thread, by turns with the files',
    oneCore,
    'MiB/s, elapsed',
    limits.map(Math.round).join(', '),
  );
  for (const { name, added } of bounds) {
    const bound = addRates(report, name, mib, added);
    report.add(`${name}, elapsed`, bound.elapsed / oneCore, "of one core's hash limit, elapsed");
  }
  const least = addRates(report, floor.name, mib, floor.added);
  for (const { name, child, added } of services) {
    const add = addRates(report, `add, ${name}`, mib, added);
    report.add(`add, ${name}, elapsed`, add.elapsed / oneCore, "of one core's hash limit, elapsed");
    report.add(`add, ${name}, of the floor`, add.cpu / least.cpu, 'of the bare server, processor time');
    report.add(`add, ${name}, peak memory`, await peakMemory(child), 'MiB');
  }
  if (peers) addRates(report, 'importer + blockstore-fs: add (no HTTP)', mib, imported);

  const measured = contents.slice(COLD_FILES);
  const cids: string[] = [];
  for (const content of measured) cids.push((await services[0].client.add(content, { onlyHash: true })).cid);
  const exported: Taken[] = [];
  for (const [index, cid] of cids.entries()) {
    step('reading the files', [index, cids.length]);
    for (const service of services) {
      const read = () => takenBy(service, () => catSeconds(service.port, cid));
      await settle(mib * MIB);
      service.readFirst.push(await read());
      for (let time = 0; time < READS; time++) service.read.push(await read());
    }
    await peers?.read(COLD_FILES + index);
    for (let time = 0; peers && time < READS; time++) exported.push(await peers.read(COLD_FILES + index));
  }
  const exporter = peers && addRates(report, 'exporter + blockstore-fs: cat (no HTTP)', mib, exported);
  for (const { name, child, readFirst, read } of services) {
    addRates(report, `cat, ${name}, the first time`, mib, readFirst);
    const cat = addRates(report, `cat, ${name}`, mib, read);
    if (exporter) {
      report.add(`cat, ${name}, elapsed`, cat.elapsed / exporter.elapsed, 'of the exporter, elapsed');
    }
    report.add(`cat, ${name}, peak memory`, await peakMemory(child), 'MiB');
  }
  await peers?.close();
}

async function measureSmall(report: Report, service: Measured): Promise<void> {
  const { name, port, client, child } = service;
  let serial = 0;
  const small = () => Buffer.concat([createHash('sha256').update(`${serial++}`).digest(), Buffer.alloc(992)]);
  const request = () => ({ path: 'add', content: small() });
  await rate(port, CONNECTIONS, WARM_SECONDS, request);
  const smallAdd = await timed(service, () => rate(port, CONNECTIONS, SMALL_SECONDS, request));
  const smallAdded = smallAdd.result * SMALL_SECONDS;
  report.add(
    `add of 1 KiB, 16 connections, ${name}`,
    smallAdded / smallAdd.cpu,
    '/CPU-second',
    elapsed(smallAdd.result, '/s'),
  );
  const { cid: smallCid } = await client.add(small());
  const smallCat = await timed(service, () =>
    rate(port, CONNECTIONS, SMALL_SECONDS, () => ({ path: `cat?arg=${smallCid}` })),
  );
  const smallRead = smallCat.result * SMALL_SECONDS;
  report.add(
    `cat of 1 KiB, 16 connections, ${name}`,
    smallRead / smallCat.cpu,
    '/CPU-second',
    elapsed(smallCat.result, '/s'),
  );
  report.add(`peak memory in the end, ${name}`, await peakMemory(child), 'MiB');
}

/** How long a synced write takes: each durable small add waits for two. */
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

/** The peers' store; undefined if it is not installed. */
async function openPeers(mib: number) {
  if (!existsSync(join(HERE, 'node_modules', 'blockstore-fs'))) {
    process.stderr.write('peers: not installed (npm ci in bench/storage)\n');
    return undefined;
  }
  const directory = await mkdtemp(join(tmpdir(), 'storage-bench-fs-'));
  const child = fork(join(HERE, 'peers.mjs'), [directory], { execArgv: [] });
  const exited = once(child, 'exit');
  const ask = async (what: { add: number } | { read: number }): Promise<Taken> => {
    child.send(what);
    const ended = exited.then(([code]) => {
      throw new Error(`bench/storage/peers.mjs ended with ${code}`);
    });
    const [taken] = (await Promise.race([once(child, 'message'), ended])) as [Taken];
    return taken;
  };
  return {
    add: () => ask({ add: mib }),
    read: (number: number) => ask({ read: number }),
    close: async () => {
      child.kill('SIGKILL');
      await exited;
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/**
 * Measures the storage service on this machine at its current load, next to limits and peers. @param mebibytes of the
 * large file.
 */
export async function run(mebibytes = 256): Promise<readonly Figure[]> {
  const report = new Report();
  const contents = Array.from({ length: COLD_FILES + FILES }, () => randomBytes(mebibytes * MIB));
  const [content = Buffer.alloc(0)] = contents;
  for (const [threads, name] of [
    [1, 'one thread'],
    [2, 'two threads'],
  ] as const) {
    const { cpu, elapsed: passed } = await hashLimit(content, threads);
    report.add(`limit: SHA2-256, ${name}`, cpu, 'MiB/CPU-second', elapsed(passed, 'MiB/s'));
  }
  await measureSync(report);
  const bounds = [
    await serveBare('limit: bare socket, hashed on another thread, nothing written', 'bare.ts', 'hash'),
    await serveBare('limit: bare socket, hashed and summed on another thread, written', 'bare.ts', 'store'),
  ];
  const floor = await serveBare('floor: bare server, hash and write', 'floor.ts');
  const services = [await serveMeasured(false), await serveMeasured(true)] as const;
  await measureLarge(report, contents, mebibytes, { services, bounds, floor });
  for (const service of services) {
    await measureSmall(report, service);
    await service.stop();
  }
  return report.end();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [mebibytes] = numbers(USAGE, MOST);
  await main(() => run(mebibytes));
}
