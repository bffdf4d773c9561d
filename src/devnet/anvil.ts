import { existsSync, renameSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { type Program, startProgram, untilReady } from './program';

/** A development chain on the loopback interface. */
export type Anvil = Program & { readonly url: string };

export type AnvilOptions = {
  /** 0 picks a free one. */
  readonly port?: number;
  /** 31337 if omitted. */
  readonly chainId?: number;
  /** A file to load the chain's state from. */
  readonly state?: string;
  /** Whether to write the state back to that file on exit. A run that is killed leaves the file as it was. */
  readonly keepState?: boolean;
  readonly signal?: AbortSignal;
};

/** The binary from the npm package, which exists for Linux on x64; elsewhere that of an installed Foundry. */
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
 * @throws If it exits before it listens, with its output.
 */
export async function startAnvil({
  port = 0,
  chainId,
  state,
  keepState = false,
  signal,
}: AnvilOptions = {}): Promise<Anvil> {
  const program = anvilProgram();
  // From Osaka on, networks verify P-256 themselves (EIP-7951), which passkeys need.
  const parameters = ['--host', '127.0.0.1', '--port', String(port), '--hardfork', 'osaka'];
  if (chainId !== undefined) parameters.push('--chain-id', String(chainId));
  if (state !== undefined) parameters.push('--load-state', state);
  // anvil writes in place, which may be cut short: only a whole file replaces the last one.
  const saved = state !== undefined && keepState ? `${state}.new` : undefined;
  if (saved !== undefined) parameters.push('--dump-state', saved);
  const started = startProgram(program, parameters, signal && { signal });
  const ended = started.ended.then((how) => {
    if (state !== undefined && saved !== undefined && how === 'exit code 0' && existsSync(saved))
      renameSync(saved, state);
    return how;
  });
  const stop = async (): Promise<void> => {
    await started.stop();
    await ended;
  };
  const anvil = { ...started, ended, stop };
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
