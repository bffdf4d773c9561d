import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The folder of the packages that only the end-to-end tests need. */
export const PEERS = join(__dirname, '../peers');

const INSTALLED = existsSync(join(PEERS, 'node_modules/@pimlico/alto'));

const requirePeer = createRequire(join(PEERS, 'package.json'));

/** @returns What a package of {@link PEERS} exports. */
export const peer = <T>(name: string): T => requirePeer(name) as T;

/** @returns The path of a file of such a package. */
export const peerFile = (name: string): string => join(PEERS, 'node_modules', name);

/** Describes tests that need the packages: without them each is skipped by name, and says how to install them. */
export function describeWithPeers(name: string, tests: () => void): void {
  if (INSTALLED) describe(name, tests);
  else describe.skip(`${name} (skipped: run scripts/install-chain-peers.sh first)`, tests);
}
