import { defineChain } from 'viem';

import { type AccountVersion } from '../../core/erc4337/entry-points';

/** The devnet's chain for viem. Importing viem's own list of chains takes two seconds. */
export const DEVNET_CHAIN = defineChain({
  id: 31_337,
  name: 'Keystead devnet',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [] } },
});

/** The entry points of the devnet. The contracts of 0.9 are release candidates, and are not on it. */
export const DEVNET_VERSIONS = ['0.6', '0.7', '0.8'] as const satisfies AccountVersion[];
