import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** A development chain (chain id 31337) on the loopback interface. */
export type Anvil = { readonly url: string; readonly stop: () => Promise<void> };

const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/** The program itself: its npm wrapper would be a second process to stop. */
function anvilProgram(): string {
  const architecture = ARCHITECTURES[process.arch] ?? process.arch;
  const require = createRequire(join(process.cwd(), 'package.json'));
  try {
    const suffix = process.platform === 'win32' ? '.exe' : '';
    return require.resolve(`@foundry-rs/anvil-${process.platform}-${architecture}/bin/anvil${suffix}`);
  } catch {
    throw new Error(
      `anvil has no program for ${process.platform}/${process.arch}, or "npm ci" left out optional packages.`,
    );
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
    child.once('error', reject);
    child.once('exit', (code) => {
      reject(new Error(`anvil ended with code ${String(code)} before it listened.\n${printed.slice(-2000)}`));
    });
  });
  return { url, stop: () => stopped(child) };
}
