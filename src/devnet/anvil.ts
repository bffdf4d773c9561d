import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** A development chain (chain id 31337) on the loopback interface. */
export type Anvil = { readonly url: string; readonly stop: () => Promise<void> };

/** The program of the npm package, which exists for Linux on x64; elsewhere the one of an installed Foundry. */
function anvilProgram(): string {
  const require = createRequire(join(process.cwd(), 'package.json'));
  try {
    return require.resolve('@foundry-rs/anvil-linux-amd64/bin/anvil');
  } catch {
    return 'anvil';
  }
}

function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => {
      resolve();
    });
    child.kill('SIGTERM');
  });
}

/**
 * Starts anvil and waits until it listens.
 *
 * @param options - `port`: 0 takes a free one.
 * @throws If it ends before it listens, with what it printed.
 */
export async function startAnvil({ port = 0 } = {}): Promise<Anvil> {
  const child = spawn(anvilProgram(), ['--host', '127.0.0.1', '--port', String(port)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const killWithUs = (): void => {
    child.kill('SIGKILL');
  };
  process.once('exit', killWithUs);
  child.once('exit', () => process.off('exit', killWithUs));
  const url = await new Promise<string>((resolve, reject) => {
    let printed = '';
    const read = (chunk: Buffer): void => {
      printed += chunk.toString();
      const [, address] = /Listening on (127\.0\.0\.1:\d+)/u.exec(printed) ?? [];
      if (address !== undefined) resolve(`http://${address}`);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', () => {
      reject(
        new Error(
          'anvil is not installed. On Linux (x64) "npm ci" installs it; elsewhere install Foundry: https://getfoundry.sh',
        ),
      );
    });
    child.once('exit', (code) => {
      reject(new Error(`anvil ended with code ${String(code)} before it listened.\n${printed.slice(-2000)}`));
    });
  });
  return { url, stop: () => stopped(child) };
}
