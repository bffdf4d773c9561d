import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';

import { mnemonicToAccount } from 'viem/accounts';
import { bytesToHex } from 'viem';

import { ENTRY_POINTS } from '../../../src/erc4337/entry-points';
import { peerFile } from './peers';

/** A running bundler. */
export type Alto = { readonly url: string; readonly stop: () => Promise<void> };

const key = (index: number): string => {
  const { privateKey } = mnemonicToAccount('test test test test test test test test test test test junk', {
    addressIndex: index,
  }).getHdKey();
  return bytesToHex(privateKey as Uint8Array);
};

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}

async function answers(url: string): Promise<boolean> {
  try {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_supportedEntryPoints', params: [] });
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    return ((await response.json()) as { result?: unknown }).result !== undefined;
  } catch {
    return false;
  }
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => {
      resolve();
    });
    child.kill('SIGTERM');
  });
}

/** How often a bundler that loads its modules is asked whether it is there. */
const ASK_EVERY = 100;

/**
 * Starts alto for entry points 0.6, 0.7 and 0.8 and waits until it answers. It does not trace operations
 * (ERC-7562): its tracer does not understand anvil's. It still simulates, estimates and bundles for real.
 *
 * @throws If it ends before, with what it printed.
 */
export async function startAlto(rpcUrl: string): Promise<Alto> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(
    process.execPath,
    [
      ...['--import', join(__dirname, 'loopback.mjs'), peerFile('@pimlico/alto/esm/cli/alto.js')],
      ...['--rpc-url', rpcUrl, '--port', String(port)],
      ...['--entrypoints', [ENTRY_POINTS['0.6'], ENTRY_POINTS['0.7'], ENTRY_POINTS['0.8']].join(',')],
      ...['--executor-private-keys', [key(1), key(2), key(3)].join(','), '--utility-private-key', key(4)],
      ...['--safe-mode', 'false', '--min-executor-balance', '0', '--max-block-range', '10000'],
      ...['--default-api-version', 'v2', '--enable-debug-endpoints', 'true', '--log-level', 'warn'],
    ],
    { env: { ...process.env, OTEL_SDK_DISABLED: 'true' }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const killWithUs = (): void => {
    child.kill('SIGKILL');
  };
  process.once('exit', killWithUs);
  child.once('exit', () => process.off('exit', killWithUs));
  let printed = '';
  const keep = (chunk: Buffer): void => {
    printed = (printed + chunk.toString()).slice(-4000);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  while (!(await answers(url))) {
    if (child.exitCode !== null) throw new Error(`alto ended with code ${child.exitCode}.\n${printed}`);
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY));
  }
  return { url, stop: () => ended(child) };
}
