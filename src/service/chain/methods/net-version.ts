import { defineMethod } from './method';

/** No parameters. Result: the network ID in decimal; always the chain ID here. */
export const netVersion = defineMethod('net_version', [], async ({ network: { chainId } }) => String(chainId));
