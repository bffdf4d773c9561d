import { type SnapClient } from './snap-client';
import { type Devnet } from './types';
import { numberOf } from './units';

/**
 * Configures the devnet's chain and storage in the snap, and its network in the wallet. Each step asks.
 *
 * @returns What was done, in words. Without a bundler the snap takes no chain.
 */
export async function setUpDevnet(client: SnapClient, { chain, storage }: Devnet): Promise<string> {
  const { name, chainId: scope, rpcUrl, bundlerUrl, paymasterUrl } = chain;
  if (bundlerUrl !== undefined) {
    const services = { rpcUrl, bundlerUrl, ...(paymasterUrl !== undefined && { paymasterUrl }) };
    await client.dapp('keystead_setChain', { chainId: scope, ...services });
  }
  // Finding accounts again, the snap looks at chains with the wallet's own node.
  const chainId = `0x${numberOf(scope).toString(16)}`;
  const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 };
  await client.wallet.request('wallet_addEthereumChain', [
    { chainId, chainName: name, rpcUrls: [rpcUrl], nativeCurrency },
  ]);
  if (storage !== undefined) await client.dapp('keystead_setStorage', storage);
  return bundlerUrl === undefined
    ? 'The storage is set up. The chain is not: this devnet runs without a bundler, which Keystead needs for a chain. Start it without --no-bundler to send.'
    : 'Everything is set up.';
}
