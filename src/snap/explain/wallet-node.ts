import { type LedgerNode } from '../../clients/ledger-node';
import { type PreviewedBy } from '../../core/decode/explanation';
import { QuantityAnswerStruct } from '../../core/structs/hex';
import { askWallet, type WalletNetwork } from '../wallet/wallet-provider';
import { type PreviewNode } from '../../simulation/node';

/** What screens call the wallet's own node. The wallet does not say which one it is. */
export const WALLET_NODE: PreviewedBy = { name: "your wallet's node" };

/** The wallet's own node, with its name in sentences. */
export type WalletNode = PreviewNode & LedgerNode;

/**
 * The wallet's own node of a network.
 *
 * @param maySelect - Whether the network may be selected for this snap. Otherwise, requests fail unless it is.
 */
export function walletNode(chainId: bigint, { maySelect }: Pick<WalletNetwork, 'maySelect'>): WalletNode {
  const network = { chainId, maySelect };
  const ask: PreviewNode['ask'] = (method, params, result, signal) =>
    askWallet(network, { method, params }, result, signal);
  return {
    title: 'the node of your wallet',
    url: `wallet:eip155:${chainId}`,
    ask,
    chainId: async (signal) => BigInt(await ask('eth_chainId', [], QuantityAnswerStruct, signal)),
  };
}
