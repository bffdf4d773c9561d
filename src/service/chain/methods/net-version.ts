import { defineMethod } from './method';

/** No parameters. Result: the network id, decimal; here always the chain id. */
export const netVersion = defineMethod('net_version', [], async ({ chainId }) => String(chainId));
