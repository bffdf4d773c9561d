import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { format, resolveConfig } from 'prettier';

import { networks } from './networks';

const FILE = join(import.meta.dirname, '../src/core/networks/known.ts');

const entries = networks().map(([chainId, network]) => `[${chainId}n, ${JSON.stringify(network)}],`);
const source = `/**
 * What Keystead says about a network without asking anyone.
 *
 * @example
 * \`\`\`ts
 * const ethereum: KnownNetwork = { name: 'Ethereum', symbol: 'ETH', explorerUrl: 'https://etherscan.io' };
 * \`\`\`
 */
export type KnownNetwork = { readonly name: string; readonly symbol: string; readonly explorerUrl?: string };

/**
 * The main public networks and their testnets by chain id. Made by \`npm run make:networks\` from viem's list of chains
 * and MetaMask's names of them.
 *
 * @example
 * \`\`\`ts
 * KNOWN_NETWORKS.get(1n)?.name; // => 'Ethereum'
 * KNOWN_NETWORKS.get(137n)?.symbol; // => 'POL'
 * KNOWN_NETWORKS.get(31337n); // => undefined
 * \`\`\`
 */
export const KNOWN_NETWORKS: ReadonlyMap<bigint, KnownNetwork> = new Map([${entries.join('')}]);
`;
writeFileSync(FILE, await format(source, { ...(await resolveConfig(FILE)), filepath: FILE }));
console.log(`${FILE}: ${entries.length} networks`);
