import { type Network, networkOf } from '../../core/networks/network';
import { type SnapClient } from './snap-client';
import { type Chain } from './types';
import { type HostWallet } from './wallets';
import { COIN_DECIMALS, hexChainOf, numberOf } from './units';

/** @returns How the network is called, everywhere on the page and in the snap's dialogs. */
export const networkOfChain = (chain: Chain): Network => networkOf(numberOf(chain.chainId), chain);

/** Milliseconds that the wallet's node may take for one call. */
const ANSWER_LIMIT = 15_000;

/**
 * @returns Whether the node that the wallet uses for the selected network answers. A wallet knows for a while which
 * block is the latest, and for ever which chain it is, without asking the node; nothing keeps the answer to this.
 */
async function nodeAnswers({ request }: HostWallet): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, ANSWER_LIMIT, false);
  });
  const answered = request('net_version').then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([answered, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Adds a network of the snap to the wallet too (EIP-3085), for other sites. The wallet asks first.
 *
 * @returns What was done.
 * @throws If the wallet then has the network but reaches no node: MetaMask keeps the URL that it had before.
 */
export async function addToWallet({ wallet }: SnapClient, chain: Chain): Promise<string> {
  const { name, symbol, explorerUrl } = networkOfChain(chain);
  const chainId = hexChainOf(chain.chainId);
  const network = {
    chainId,
    chainName: name,
    rpcUrls: [chain.rpcUrl],
    nativeCurrency: { name: symbol, symbol, decimals: COIN_DECIMALS },
    ...(explorerUrl !== undefined && { blockExplorerUrls: [explorerUrl] }),
  };
  await wallet.request('wallet_addEthereumChain', [network]);
  // A call goes to the selected network, which is another one if the person did not switch.
  if ((await wallet.request('eth_chainId')) !== chainId)
    return `Added ${name} to the wallet, where another network is selected.`;
  if (await nodeAnswers(wallet)) return `Added ${name} to the wallet.`;
  throw new Error(
    `${wallet.name} has ${name}, but its node there does not answer. If the node’s URL has changed, ${wallet.name} keeps using the old one: in its list of networks, edit ${name} and choose ${new URL(chain.rpcUrl).host} as the default RPC URL.`,
  );
}
