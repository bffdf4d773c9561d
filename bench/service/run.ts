import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { RLP } from '@ethereumjs/rlp';

import { benchImport, benchLookups } from './archive';

/*
 * What the chain service does a second, on this machine and at this load: read the numbers beside each other, not as
 * those of another machine. `tsx bench/service/run.ts [seconds a measurement] [blocks of the synthetic archive]`.
 */

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, '../..');
const [seconds = '3', syntheticBlocks = '1500000'] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'keystead-bench-'));
const CONNECTIONS = '64';

const show = (name: string, value: string) => {
  console.log(`${name.padEnd(34)} ${value}`);
};

const pins = spawnSync('taskset', ['-V']).status === 0;

/** Runs Node on one core where the system can do that, so that the rates are per core: servers on 0, load on 1. */
function onCore(core: number, args: string[]): [string, string[]] {
  return pins ? ['taskset', ['-c', String(core), process.execPath, ...args]] : [process.execPath, args];
}

/** Starts a program that listens at `url`, and waits until it does. */
async function start(args: string[], url: string): Promise<() => Promise<void>> {
  const [command, all] = onCore(0, args);
  const child = spawn(command, all, { stdio: 'ignore' });
  while (child.exitCode === null) {
    const answers = await fetch(url).then(
      () => true,
      () => false,
    );
    if (answers) {
      return async () => {
        child.kill('SIGTERM');
        await once(child, 'exit');
      };
    }
    await delay(50);
  }
  throw new Error(`${args[0]} ended with ${child.exitCode}`);
}

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return String(port);
}

function load(kind: 'http' | 'ws', url: string, body: string): number {
  const args = ['--import', 'tsx', join(here, 'load.ts'), kind, url, body, CONNECTIONS, seconds];
  const [command, all] = onCore(1, args);
  const { stdout, stderr, status } = spawnSync(command, all, { encoding: 'utf8', timeout: 60_000 });
  if (status !== 0) throw new Error(`the load generator failed: ${stderr}`);
  return Number(stdout);
}

async function benchTransports(file: string): Promise<void> {
  const dataDir = join(folder, 'served');
  const keystead = join(root, 'bin/keystead.js');
  spawnSync(process.execPath, [keystead, 'archive', 'import', file, '--data-dir', dataDir]);
  spawnSync(process.execPath, [keystead, 'keys', 'create', '--credits', '9007199254740991', '--data-dir', dataDir]);
  const { stdout } = spawnSync(process.execPath, [keystead, 'keys', 'list', '--json', '--data-dir', dataDir], {
    encoding: 'utf8',
  });
  const { keys } = JSON.parse(stdout) as { keys: [{ key: string }] };
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'eth_getUncleByBlockNumberAndIndex',
    params: ['0x29c', '0x0'],
  });
  const [port, anvilPort] = [await freePort(), await freePort()];
  const serve = [keystead, 'serve', '--rpc-port', port, '--data-dir', dataDir];
  const stopService = await start(serve, `http://127.0.0.1:${port}/health`);
  const anvilBin = join(dirname(createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json')), 'bin.mjs');
  const stopAnvil = await start([anvilBin, '--port', anvilPort, '--silent'], `http://127.0.0.1:${anvilPort}/`);
  const none = body.replace('0x29c', '0x0');
  for (const [kind, path] of [
    ['http', 'v3'],
    ['ws', 'ws/v3'],
  ] as const) {
    const own = load(kind, `${kind}://127.0.0.1:${port}/${path}/${keys[0].key}`, body);
    const other = load(kind, `${kind}://127.0.0.1:${anvilPort}/`, none);
    const ratio = (own / other).toFixed(2);
    show(`${kind}, uncle of block 668`, `${own.toLocaleString('en')} requests/s`);
    show(`${kind}, anvil answering null`, `${other.toLocaleString('en')} requests/s (keystead / anvil: ${ratio})`);
  }
  await stopService();
  await stopAnvil();
}

try {
  const epoch = resolve(root, '../shared/data/mainnet-00000-5ec1ffb8.era1');
  const chain = join(root, 'test/service/data/hivechain.rlp');
  if (existsSync(epoch)) {
    show('import, era1, one core', await benchImport(epoch, folder));
    await benchTransports(epoch);
  } else {
    console.log(`skipped import, HTTP and WebSocket: ${epoch} is not on this machine`);
  }
  const blocks = (bytes: Uint8Array): Uint8Array[][] => {
    const { data, remainder } = RLP.decode(bytes, true);
    return remainder.length > 0 ? [data as Uint8Array[], ...blocks(remainder)] : [data as Uint8Array[]];
  };
  const withUncle = blocks(readFileSync(chain)).find(([, , uncles]) => (uncles?.length ?? 0) > 0);
  const list = RLP.encode(withUncle?.[2] ?? []);
  for (const [name, value] of await benchLookups(folder, list, Number(syntheticBlocks)))
    show(`look-ups, ${name}`, value);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
