import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

import { untilOutput } from '../service/until-output';

const canUnshare =
  spawnSync('unshare', ['-rn', 'ip', 'link', 'set', 'lo', 'up']).status === 0 &&
  spawnSync('nsenter', ['--version']).status === 0;

/** @returns The ports on which something listens on 127.0.0.1. */
function takenOf(ports: readonly number[]): number[] {
  const listen = 'require("net").createServer().listen(+process.argv[1], "127.0.0.1", () => process.exit())';
  return ports.filter((port) => spawnSync(process.execPath, ['-e', listen, String(port)]).status !== 0);
}

/** @returns Why commands cannot use these ports, or undefined if they can. */
export function noPorts(ports: readonly number[]): string | undefined {
  const taken = canUnshare ? [] : takenOf(ports);
  return taken.length === 0 ? undefined : `skipped: something listens on ${taken.join(' and ')}`;
}

/** Where commands run: the program and its first arguments. */
export type OwnNetwork = { readonly command: readonly string[]; readonly stop: () => Promise<void> };

/** A network whose ports are all free, where Linux lets us make one; otherwise the network of this machine. */
export async function startOwnNetwork(): Promise<OwnNetwork> {
  if (!canUnshare) return { command: ['bash'], stop: () => Promise.resolve() };
  const script = 'ip link set lo up && echo up && exec sleep infinity';
  const holder: ChildProcess = spawn('unshare', ['-rn', 'sh', '-c', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await untilOutput(holder, /up/u);
  return {
    command: ['nsenter', '--target', String(holder.pid), '--user', '--net', '--preserve-credentials', 'bash'],
    stop: async () => {
      holder.kill('SIGKILL');
      await once(holder, 'exit');
    },
  };
}
