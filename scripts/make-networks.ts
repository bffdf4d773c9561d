import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { networks } from './networks';

const FILE = join(import.meta.dirname, '../src/core/networks/known.ts');
const SCHEME = 'https://';

const rows = networks().map(([chainId, { name, symbol, explorerUrl }]) => {
  if (explorerUrl?.startsWith(SCHEME) !== true || /\s/u.test(symbol))
    throw new Error(`${name}: the table has no form for its symbol or explorer`);
  return `${chainId} ${symbol} ${explorerUrl.slice(SCHEME.length)} ${name}`;
});
const source = `/** What Keystead says about a network without asking anyone. */
export type KnownNetwork = { readonly name: string; readonly symbol: string; readonly explorerUrl?: string };

/**
 * The main public networks and their testnets: chain ID, symbol, explorer, name. Made by \`npm run make:networks\` from
 * viem's list of chains and MetaMask's names of them. Rows of text take less room in the bundle than objects.
 */
const ROWS = \`${rows.join('\n')}\`;

/** The networks of the table, by chain id. */
export const KNOWN_NETWORKS: ReadonlyMap<bigint, KnownNetwork> = new Map(
  ROWS.split('\\n').map((row): [bigint, KnownNetwork] => {
    const [chainId = '', symbol = '', explorer = '', ...name] = row.split(' ');
    return [BigInt(chainId), { name: name.join(' '), symbol, explorerUrl: \`${SCHEME}\${explorer}\` }];
  }),
);
`;
writeFileSync(FILE, source);
console.log(`${FILE}: ${rows.length} networks`);
