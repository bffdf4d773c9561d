import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { isBundlerInstalled } from '../../../src/devnet/bundler';

/** The folder of the packages that only the end-to-end tests need. */
const PEERS = join(process.cwd(), 'test/chain/peers');

/** Whether they are installed, and the bundler. */
export const hasPeers = existsSync(join(PEERS, 'node_modules')) && isBundlerInstalled();

const requirePeer = createRequire(join(PEERS, 'package.json'));

/** @returns What a package of {@link PEERS} exports. */
export const peer = <T>(name: string): T => requirePeer(name) as T;

/** @returns The path of a file in a package of {@link PEERS}. */
export const peerFile = (path: string): string => join(PEERS, 'node_modules', path);

/** Describes tests that need the packages: without them each is skipped by name, and says how to install them. */
export function describeWithPeers(name: string, tests: () => void): void {
  if (hasPeers) describe(name, tests);
  else describe.skip(`${name} (skipped: run scripts/install-chain-peers.sh first)`, tests);
}
