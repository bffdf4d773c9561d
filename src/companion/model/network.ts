import { type Network, networkOf } from '../../core/networks/network';
import { type SnapClient } from './snap-client';
import { type Chain } from './types';
import { COIN_DECIMALS, hexChainOf, numberOf } from './units';

/** @returns How the network is called, everywhere on the page and in the snap's dialogs. */
export const networkOfChain = (chain: Chain): Network => networkOf(numberOf(chain.chainId), chain);

/** Adds a network of the snap to the wallet too (EIP-3085), for other sites. The wallet asks first. */
export async function addToWallet({ wallet }: SnapClient, chain: Chain): Promise<string> {
  const { name, symbol, explorerUrl } = networkOfChain(chain);
  const network = {
    chainId: hexChainOf(chain.chainId),
    chainName: name,
    rpcUrls: [chain.rpcUrl],
    nativeCurrency: { name: symbol, symbol, decimals: COIN_DECIMALS },
    ...(explorerUrl !== undefined && { blockExplorerUrls: [explorerUrl] }),
  };
  await wallet.request('wallet_addEthereumChain', [network]);
  return `Added ${name} to the wallet.`;
}
