import { defineChain } from 'viem';

/** The devnet's chain for viem, whose own list has it among all other chains: that one takes two seconds to load. */
export const DEVNET_CHAIN = defineChain({
  id: 31_337,
  name: 'Keystead devnet',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [] } },
});
