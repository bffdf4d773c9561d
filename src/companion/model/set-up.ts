import { type Session } from './session';
import { type SnapClient } from './snap-client';
import { type Devnet } from './types';
import { hexChainOf } from './units';

type Known = Pick<Session, 'chains' | 'storage'>;

/** A devnet that keeps nothing has another key each time: what the snap was told of the one before is of no use. */
const isChainSetUp = ({ chain }: Devnet, { chains }: Known): boolean =>
  chains.some(({ chainId, rpcUrl }) => chainId === chain.chainId && rpcUrl === chain.rpcUrl);

const isStorageSetUp = ({ storage: wanted }: Devnet, { storage }: Known): boolean =>
  wanted === undefined || (storage?.url === wanted.url && storage.key === wanted.key);

/** Whether the snap uses this devnet. The storage is the last step. */
export const isDevnetSetUp = (devnet: Devnet, known: Known): boolean =>
  (devnet.chain.bundlerUrl === undefined || isChainSetUp(devnet, known)) && isStorageSetUp(devnet, known);

/**
 * Configures the devnet's chain and storage in the snap, and its network in the wallet. Each step asks, unless it is done.
 *
 * @returns What was done, in words. Without a bundler the snap takes no chain.
 */
export async function setUpDevnet(client: SnapClient, devnet: Devnet, known: Known): Promise<string> {
  const { chain, storage } = devnet;
  const { name, chainId: scope, rpcUrl, bundlerUrl, paymasterUrl } = chain;
  if (bundlerUrl !== undefined && !isChainSetUp(devnet, known)) {
    const services = { rpcUrl, bundlerUrl, ...(paymasterUrl !== undefined && { paymasterUrl }) };
    await client.dapp('keystead_setChain', { chainId: scope, ...services });
  }
  // Finding accounts again, the snap looks at chains with the wallet's own node.
  const chainId = hexChainOf(scope);
  const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 };
  await client.wallet.request('wallet_addEthereumChain', [
    { chainId, chainName: name, rpcUrls: [rpcUrl], nativeCurrency },
  ]);
  if (!isStorageSetUp(devnet, known)) await client.dapp('keystead_setStorage', storage);
  return bundlerUrl === undefined
    ? 'The storage is set up. The chain is not: this devnet runs without a bundler, which Keystead needs for a chain. Start it without --no-bundler to send.'
    : 'Everything is set up.';
}
