import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

import { makeFolder } from './folder';
import { OWN_ADDRESS } from './own-address';
import { untilOutput } from './until-output';

/** Why tests with Redis are skipped, or undefined if they run. */
export const noRedis =
  spawnSync('redis-server', ['--version']).status === 0
    ? undefined
    : 'skipped: redis-server is not installed, see scripts/install-test-services.sh';

export type TestRedis = { url: string; process: ChildProcess; port: number };

const started: ChildProcess[] = [];

afterAll(async () => {
  for (const child of started.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

/** @returns A port of {@link OWN_ADDRESS} that stays free. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, OWN_ADDRESS);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/**
 * Starts a Redis on a free port that stays reserved for it. It is stopped after the test file.
 *
 * @param port - Of a Redis that was stopped.
 * @param durable - A folder in which it keeps every write before it confirms it; absent for memory alone.
 * @param more - Further arguments.
 */
export async function startRedis(port?: number, durable?: string, more: readonly string[] = []): Promise<TestRedis> {
  const chosen = port ?? (await freePort());
  const args = [
    ['--port', String(chosen)],
    ['--bind', OWN_ADDRESS],
    ['--save', ''],
    ['--appendonly', durable === undefined ? 'no' : 'yes'],
    ['--appendfsync', 'always'],
    ['--dir', durable ?? makeFolder()],
    more,
  ].flat();
  const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(child);
  await untilOutput(child, /Ready to accept connections/u);
  return { url: `redis://${OWN_ADDRESS}:${chosen}`, process: child, port: chosen };
}
