import { DEVNET_CHAIN } from './chain/definition';
import { type DevnetDescription } from './companion-server';
import { type Options } from './options';
import { type Ports } from './ports';

const rows = (table: readonly (readonly [string, string])[]): string =>
  table.map(([name, value]) => `  ${name.padEnd(18)}${value}`).join('\n');

/** @returns What a newcomer needs once everything runs: addresses, keys, and the next steps. */
export function screen({ bundler, dataDir }: Options, ports: Ports, description: DevnetDescription): string {
  const { chain, uncles, storage, snapId } = description;
  const { block, index } = uncles.example;
  return `
The devnet is ready. It is for testing only: do not use real funds.

Keystead page  http://localhost:${ports.companion}/

${rows([
  [DEVNET_CHAIN.name, `${chain.rpcUrl}${bundler ? '  (also accepts user operations)' : ''}`],
  ['Mainnet uncles', `${uncles.rpcUrl}  (blocks 0 to 670; try block ${block}, index ${index})`],
  ['Storage', storage.url],
  ['Paymaster', chain.paymasterUrl],
  ['API key', storage.key],
  ['Secret', storage.secret],
  ['Snap', snapId],
  ...Object.entries(chain.entryPoints).map(([version, address]) => [`Entry point ${version}`, address] as const),
])}

Next: open the Keystead page. If the browser has MetaMask Flask, it offers to install the snap; otherwise
it runs the same snap with a simulated wallet. Press “Set up”, create an account, get test ETH, send.${
    bundler
      ? '\nA Safe sends several calls as one user operation, and the paymaster pays its network fee.'
      : '\nSmart accounts need a bundler to send: start without --no-bundler.'
  }
Press Ctrl-C to stop${dataDir === undefined ? '; nothing is kept' : `; the data stays in ${dataDir}`}.`;
}
