import { defineChain } from 'viem';

/** The devnet's chain for viem. Importing viem's own list of chains takes two seconds. */
export const DEVNET_CHAIN = defineChain({
  id: 31_337,
  name: 'Keystead devnet',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [] } },
});
