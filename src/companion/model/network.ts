import { type Network, networkOf } from '../../core/networks/network';
import { type Chain } from './types';
import { numberOf } from './units';

/** @returns How the network is called, everywhere on the page and in the snap's dialogs. */
export const networkOfChain = (chain: Chain): Network => networkOf(numberOf(chain.chainId), chain);

/** @returns The transaction on the network's own block explorer; undefined if it has none. */
export function explorerLinkOf(chain: Chain, transactionHash: string): string | undefined {
  const { explorerUrl } = networkOfChain(chain);
  return explorerUrl === undefined ? undefined : `${explorerUrl}/tx/${transactionHash}`;
}
