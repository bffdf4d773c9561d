import { randomInt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { bytesToHex } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';

import { JsonRpcClient } from '../clients/json-rpc';
import { ACCOUNT_VERSIONS, ENTRY_POINTS } from '../core/erc4337/entry-points';
import { isFree } from './ports';
import { type Program, startProgram, untilReady } from './program';
import { unknown } from '../core/structs/struct';

/** A running bundler (alto). */
export type Bundler = Program & { readonly url: string };

/** The bundler is a separate package, so that a plain install stays small. */
const FOLDER = join(process.cwd(), 'src/devnet/bundler');

/** Measured size of the installation. */
export const INSTALL_SIZE = '146 MB';

type Manifest = { readonly dependencies: Readonly<Record<string, string>> };
type InstalledLock = { readonly packages: Readonly<Record<string, { readonly version: string } | undefined>> };

/** @returns Whether the bundler is completely installed in the wanted version: npm writes this file last. */
export function isBundlerInstalled(): boolean {
  const written = join(FOLDER, 'node_modules/.package-lock.json');
  if (!existsSync(written)) return false;
  const { packages } = JSON.parse(readFileSync(written, 'utf8')) as InstalledLock;
  const { dependencies } = JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8')) as Manifest;
  return Object.entries(dependencies).every(([name, version]) => packages[`node_modules/${name}`]?.version === version);
}

/** @returns How many of the bundler's packages npm has installed so far. */
export function bundlerSoFar(): string {
  const { packages } = JSON.parse(readFileSync(join(FOLDER, 'package-lock.json'), 'utf8')) as InstalledLock;
  const folders = Object.keys(packages).filter((path) => path !== '');
  const installed = folders.filter((path) => existsSync(join(FOLDER, path, 'package.json')));
  return `${installed.length} of ${folders.length} packages`;
}

/**
 * Installs the bundler with npm.
 *
 * @throws If npm fails, with its output.
 */
export async function installBundler(signal?: AbortSignal): Promise<void> {
  // Set by npm for the scripts it runs: the path of npm itself.
  const { npm_execpath: npm } = process.env;
  // Report errors even if npm itself was told to be silent (`npm start --silent`).
  const parameters = ['ci', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error'];
  const options = { cwd: FOLDER, ...(signal && { signal }) };
  const run =
    npm === undefined
      ? startProgram('npm', parameters, options)
      : startProgram(process.execPath, [npm, ...parameters], options);
  const end = await run.ended;
  if (end !== 'exit code 0')
    throw new Error(
      `Installing the bundler failed (${end}); start with --no-bundler to do without it.\n${run.printed()}`,
    );
}

/** Keys of anvil's test phrase. */
const key = (index: number): string => {
  const { privateKey } = mnemonicToAccount('test test test test test test test test test test test junk', {
    addressIndex: index,
  }).getHdKey();
  return bytesToHex(privateKey as Uint8Array);
};

/**
 * Finds a free port outside the range from which systems assign ports (Linux from 32768 on, macOS from 49152): another
 * program could get one of those during the seconds that the bundler takes to start.
 */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    if (await isFree(port)) return port;
  }
}

export type BundlerOptions = {
  /** The chain's node. */
  readonly rpcUrl: string;
  /** A free one if omitted. */
  readonly port?: number;
  readonly signal?: AbortSignal;
};

/**
 * Starts alto and waits until it answers. It does not trace operations (ERC-7562),
 * because its tracer does not understand anvil's output. It still simulates, estimates and bundles for real.
 *
 * @throws If it exits before that, with its output.
 */
export async function startBundler({ rpcUrl, port, signal }: BundlerOptions): Promise<Bundler> {
  const actual = port ?? (await freePort());
  const alto = startProgram(
    process.execPath,
    [
      ...['--import', join(FOLDER, 'loopback.mjs'), join(FOLDER, 'node_modules/@pimlico/alto/esm/cli/alto.js')],
      ...['--rpc-url', rpcUrl, '--port', String(actual)],
      ...['--entrypoints', ACCOUNT_VERSIONS.map((version) => ENTRY_POINTS[version]).join(',')],
      ...['--executor-private-keys', [key(1), key(2), key(3)].join(','), '--utility-private-key', key(4)],
      ...['--safe-mode', 'false', '--min-executor-balance', '0', '--max-block-range', '10000'],
      // Otherwise alto keeps demanding the fees of the time when it last looked, such as its start.
      ...['--gas-price-refresh-interval', '1', '--gas-price-expiry', '2'],
      // It keeps the difference between an operation's fees and the network's. If it passed that on as a tip, the next
      // suggestion of the node would follow, and fees would grow with every operation on a chain without other traffic.
      ...['--bundler-initial-commission', '100'],
      // A transaction is mined at once: by itself alto waits up to a second before it sends, and before it looks.
      ...['--block-time', '200', '--max-bundle-interval', '200'],
      ...['--default-api-version', 'v2', '--enable-debug-endpoints', 'true', '--log-level', 'warn'],
    ],
    { env: { ...process.env, OTEL_SDK_DISABLED: 'true' }, ...(signal && { signal }) },
  );
  const url = `http://127.0.0.1:${actual}`;
  const client = new JsonRpcClient('bundler', { url });
  await untilReady('The bundler', alto, () =>
    client.request('eth_supportedEntryPoints', [], unknown()).catch(() => undefined),
  );
  return { ...alto, url };
}
