import { type DevnetDescription } from './companion-server';
import { type Options } from './options';
import { type Ports } from './ports';

const rows = (table: readonly (readonly [string, string])[]): string =>
  table.map(([name, value]) => `  ${name.padEnd(18)}${value}`).join('\n');

/** @returns What a newcomer needs once everything answers: addresses, keys, and what to do next. */
export function screen({ bundler, dataDir }: Options, ports: Ports, description: DevnetDescription): string {
  const { chain, uncles, storage, snapId } = description;
  const { block, index } = uncles.example;
  return `
Everything answers. It is for trying out: use no real funds.

Companion page  http://localhost:${ports.companion}/

${rows([
  ['Chain 31337', `${chain.rpcUrl}${bundler ? '  (also takes user operations)' : ''}`],
  ['Mainnet uncles', `${uncles.rpcUrl}  (blocks 0 to 670; try block ${block}, index ${index})`],
  ['Storage', storage.url],
  ['Paymaster', chain.paymasterUrl],
  ['API key', storage.key],
  ['Secret', storage.secret],
  ['Snap', snapId],
  ...Object.entries(chain.entryPoints).map(([version, address]) => [`Entry point ${version}`, address] as const),
])}

Next: open the companion page. With MetaMask Flask in the browser it offers to install the snap; without, it runs
the same snap with a simulated wallet. Press “Set up”, create an account, ${bundler ? 'take test ether, sign, send.' : 'sign.'}${
    bundler ? '' : '\nNothing is sent: Keystead takes no chain without a bundler. Start without --no-bundler for that.'
  }
Ctrl-C ends everything${dataDir === undefined ? ' and keeps nothing' : `; the data stays in ${dataDir}`}.`;
}
