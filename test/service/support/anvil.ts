import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

import { untilOutput } from './until-output';

const PACKAGED = resolve(__dirname, '../../../node_modules/@foundry-rs/anvil-linux-amd64/bin/anvil');

/** anvil from its npm package for Linux, or from an installed Foundry. */
const ANVIL = existsSync(PACKAGED) ? PACKAGED : 'anvil';

/** Why tests with anvil are skipped, or undefined if they run. */
export const noAnvil = spawnSync(ANVIL, ['--version']).status === 0 ? undefined : 'skipped: anvil is not installed';

const started: ChildProcess[] = [];

afterAll(async () => {
  for (const child of started.splice(0)) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

/** The first account of anvil's well-known test phrase. */
const PRIVATE_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';

/** Starts an anvil of its own on a free port; ended after the test file. */
export async function startAnvil(): Promise<{ url: string; privateKey: typeof PRIVATE_KEY }> {
  const child = spawn(ANVIL, ['--port', '0', '--host', '127.0.0.1'], { stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(child);
  const [, port] = await untilOutput(child, /Listening on 127\.0\.0\.1:(\d+)/u);
  return { url: `http://127.0.0.1:${port}`, privateKey: PRIVATE_KEY };
}
