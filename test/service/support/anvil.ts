import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { untilOutput } from './until-output';

const started: ChildProcess[] = [];

afterAll(async () => {
  for (const child of started.splice(0)) {
    // The launcher passes this on to anvil itself.
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
});

/** The first account of anvil's well-known test phrase. */
const PRIVATE_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';

/** Starts an anvil of its own on a free port; ended after the test file. */
export async function startAnvil(): Promise<{ url: string; privateKey: typeof PRIVATE_KEY }> {
  const folder = dirname(createRequire(__filename).resolve('@foundry-rs/anvil/package.json'));
  const child = spawn(process.execPath, [join(folder, 'bin.mjs'), '--port', '0', '--host', '127.0.0.1'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.push(child);
  const [, port] = await untilOutput(child, /Listening on 127\.0\.0\.1:(\d+)/u);
  return { url: `http://127.0.0.1:${port}`, privateKey: PRIVATE_KEY };
}
