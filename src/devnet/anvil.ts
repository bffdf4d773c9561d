import { createRequire } from 'node:module';
import { join } from 'node:path';

import { type Program, startProgram, untilReady } from './program';

/** A development chain (chain id 31337) on the loopback interface. */
export type Anvil = Program & { readonly url: string };

export type AnvilOptions = {
  /** 0 takes a free one. */
  readonly port?: number;
  /** A file that the chain's state is read from at the start. */
  readonly state?: string;
  /** Whether the state is written back to that file at the end. */
  readonly keepState?: boolean;
  readonly signal?: AbortSignal;
};

/** The program of the npm package, which exists for Linux on x64; elsewhere the one of an installed Foundry. */
function anvilProgram(): string {
  const require = createRequire(join(process.cwd(), 'package.json'));
  try {
    return require.resolve('@foundry-rs/anvil-linux-amd64/bin/anvil');
  } catch {
    return 'anvil';
  }
}

/**
 * Starts anvil and waits until it listens.
 *
 * @throws If it ends before it listens, with what it printed.
 */
export async function startAnvil({ port = 0, state, keepState = false, signal }: AnvilOptions = {}): Promise<Anvil> {
  const program = anvilProgram();
  const stateParameters = state === undefined ? [] : [keepState ? '--state' : '--load-state', state];
  const anvil = startProgram(
    program,
    ['--host', '127.0.0.1', '--port', String(port), ...stateParameters],
    signal && { signal },
  );
  try {
    const url = await untilReady('anvil', anvil, () => {
      const [, address] = /Listening on (127\.0\.0\.1:\d+)/u.exec(anvil.printed()) ?? [];
      return address === undefined ? undefined : `http://${address}`;
    });
    return { ...anvil, url };
  } catch (error) {
    if (program !== 'anvil') throw error;
    throw new Error(
      'anvil is not installed. On Linux (x64) "npm ci" installs it; elsewhere install Foundry: https://getfoundry.sh',
      { cause: error },
    );
  }
}
