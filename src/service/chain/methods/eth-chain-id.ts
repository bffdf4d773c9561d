import { defineMethod } from './method';

/** No parameters. Result: the chain ID as a hex quantity (EIP-695). */
export const ethChainId = defineMethod(
  'eth_chainId',
  [],
  async ({ network: { chainId } }) => `0x${chainId.toString(16)}`,
);
