import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const HERE = dirname(fileURLToPath(import.meta.url));
/** The bundled file resolves from here what cannot be bundled: SQLite. */
const ROOT = join(HERE, '../../package.json');

/** A server in a separate process; `stop` also deletes what it stored. */
export type Served = { readonly port: number; readonly child: ChildProcess; readonly stop: () => Promise<void> };

/**
 * Starts one of the servers here as a single file, so that no loader counts toward its memory.
 *
 * @param entry - `serve.ts`, `floor.ts` or `bare.ts`.
 * @param args - Arguments after the folder for its data.
 * @throws {Error} If it exits without printing its port.
 */
export async function serve(entry: string, ...args: string[]): Promise<Served> {
  const dataDir = await mkdtemp(join(tmpdir(), 'storage-bench-'));
  const outfile = join(dataDir, 'server.mjs');
  buildSync({
    entryPoints: [join(HERE, entry)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: {
      js: `import { createRequire } from 'node:module'; const require = createRequire(${JSON.stringify(ROOT)});`,
    },
  });
  const child = spawn(process.execPath, [outfile, dataDir, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const ended = exited.then(async ([code]) => {
    await rm(dataDir, { recursive: true, force: true });
    throw new Error(`bench/storage/${entry} ended with ${code} before it listened`);
  });
  const [line] = (await Promise.race([once(child.stdout, 'data'), ended])) as [Buffer];
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
