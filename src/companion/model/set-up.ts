import { type Session } from './session';
import { type SnapClient } from './snap-client';
import { type Devnet } from './types';
import { hexChainOf } from './units';

/** The native coin of every devnet. */
const COIN = { name: 'Ether', symbol: 'ETH', decimals: 18 };

type Configured = Pick<Session, 'chains' | 'storage'>;

/** Compares the URL too: a devnet without saved state has a new key at each start, so the old URL no longer works. */
const isChainSetUp = ({ chain }: Devnet, { chains }: Configured): boolean =>
  chains.some(({ chainId, rpcUrl }) => chainId === chain.chainId && rpcUrl === chain.rpcUrl);

const isStorageSetUp = ({ storage: wanted }: Devnet, { storage }: Configured): boolean =>
  wanted === undefined || (storage?.url === wanted.url && storage.key === wanted.key);

/** Whether the snap uses the network and the storage of this devnet. */
export const isDevnetSetUp = (devnet: Devnet, configured: Configured): boolean =>
  (devnet.chain.bundlerUrl === undefined || isChainSetUp(devnet, configured)) && isStorageSetUp(devnet, configured);

/**
 * Adds the devnet's chain and storage to the snap, and its network to the wallet. Each step asks first; steps that are
 * already done are skipped. Without a bundler the chain is skipped too, because the snap requires one.
 *
 * @returns A message that says what was done.
 */
export async function setUpDevnet(client: SnapClient, devnet: Devnet, configured: Configured): Promise<string> {
  const { chain, storage } = devnet;
  const { name, chainId: scope, rpcUrl, bundlerUrl, paymasterUrl } = chain;
  if (bundlerUrl !== undefined && !isChainSetUp(devnet, configured)) {
    const services = { rpcUrl, bundlerUrl, ...(paymasterUrl !== undefined && { paymasterUrl }) };
    await client.dapp('keystead_setChain', { chainId: scope, name, symbol: COIN.symbol, ...services });
  }
  // When it recovers accounts, the snap reads the chain through the wallet's own node.
  const chainId = hexChainOf(scope);
  await client.wallet.request('wallet_addEthereumChain', [
    { chainId, chainName: name, rpcUrls: [rpcUrl], nativeCurrency: COIN },
  ]);
  if (!isStorageSetUp(devnet, configured)) await client.dapp('keystead_setStorage', storage);
  return bundlerUrl === undefined
    ? 'The storage is set up, but the network is not, because this devnet runs without a bundler. To set it up, restart without --no-bundler.'
    : 'Everything is set up.';
}
