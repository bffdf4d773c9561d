import { isUnlimited } from '../../core/decode/words/amounts';
import { historyTitle, type HistoryWords } from '../../core/ledger/history';
import { shortAddress } from './account-name';
import { whatOf } from './activity';
import { networkOfChain } from './network';
import { type Row } from './timeline';
import { type Token } from './tokens';
import { type Chain } from './types';
import { formatAmount } from './units';

/**
 * @param tokenOf - What the contract of a token says of itself; undefined if it does not answer.
 * @param nameOf - What the page calls an address.
 * @returns The words for what happened on a network.
 */
export const historyWords = (
  chain: Chain,
  tokenOf: (token: string) => Token | undefined,
  nameOf: (address: string) => string | undefined,
): HistoryWords => ({
  coins: (wei) => `${formatAmount(wei)} ${networkOfChain(chain).symbol}`,
  name: (address) => nameOf(address) ?? shortAddress(address),
  amount: (asset, amount) => {
    if (asset.kind === 'erc721') return `NFT #${asset.id} of ${shortAddress(asset.token)}`;
    if (asset.kind === 'erc1155') return `${amount} of item #${asset.id} of ${shortAddress(asset.token)}`;
    const token = tokenOf(asset.token);
    const what = token === undefined ? `tokens of ${shortAddress(asset.token)}` : token.symbol;
    if (isUnlimited(amount)) return `all ${what}`;
    return token === undefined ? what : `${formatAmount(amount, token.decimals)} ${what}`;
  },
});

/** @returns What a row says happened: what changed if the network tells, or else what was asked for. */
export function rowTitle({ activity, entry, change }: Row, words: HistoryWords | undefined): string {
  if (words !== undefined && change !== undefined) {
    const { token, net } = change;
    const amount = words.amount({ kind: 'erc20', token }, net < 0n ? -net : net);
    return `${net < 0n ? 'Lost' : 'Gained'} ${amount}: changed by the token itself`;
  }
  const changed = words === undefined || entry === undefined ? '' : historyTitle(entry, words);
  if (changed !== '') return changed;
  return activity === undefined ? 'Sent a user operation' : whatOf(activity);
}
