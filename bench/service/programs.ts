import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { RLP } from '@ethereumjs/rlp';
import { buildSync } from 'esbuild';

const root = resolve(import.meta.dirname, '../..');

export async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return String(port);
}

/** Starts a program and waits until it listens at `url`. */
export async function start(program: string, args: string[], url: string): Promise<ChildProcess> {
  const child = spawn(program, args, { stdio: 'ignore' });
  while (child.exitCode === null) {
    const answers = await fetch(url).then(
      () => true,
      () => false,
    );
    if (answers) return child;
    await delay(50);
  }
  throw new Error(`${program} ${args[0] ?? ''} ended with ${child.exitCode}`);
}

/**
 * Bundles each program into one file, so that no loader counts toward its resource use.
 *
 * @param entries - Source files by name, relative to the root of the repository.
 * @returns The bundles.
 */
export function bundle<Name extends string>(entries: Record<Name, string>): Record<Name, string> {
  const outdir = join(root, 'node_modules/.bench');
  const built = Object.entries<string>(entries).map(([name, entry]) => {
    const outfile = join(outdir, `${name}.mjs`);
    const options = { bundle: true, packages: 'external', platform: 'node', format: 'esm' } as const;
    buildSync({ entryPoints: [join(root, entry)], outfile, ...options });
    return [name, outfile];
  });
  return Object.fromEntries(built) as Record<Name, string>;
}

/** An uncle list of real blocks. */
export function uncleList(): Uint8Array {
  const blocks = (bytes: Uint8Array): Uint8Array[][] => {
    const { data, remainder } = RLP.decode(bytes, true);
    return remainder.length > 0 ? [data as Uint8Array[], ...blocks(remainder)] : [data as Uint8Array[]];
  };
  const chain = blocks(readFileSync(join(root, 'test/service/data/hivechain.rlp')));
  return RLP.encode(chain.find(([, , uncles]) => (uncles?.length ?? 0) > 0)?.[2] ?? []);
}
