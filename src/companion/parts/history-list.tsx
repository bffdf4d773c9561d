import { type VNode } from 'preact';
import { useState } from 'preact/hooks';
import { type Hash } from 'viem';

import { explorerLink } from '../../core/networks/network';
import { type HistoryEntry, historyTitle, type HistoryWords } from '../../core/ledger/history';
import { isUnlimited } from '../../core/decode/words/amounts';
import { shortAddress } from '../model/account-name';
import { networkOfChain } from '../model/network';
import { linkTo } from '../model/route';
import { type Token } from '../model/tokens';
import { type Chain } from '../model/types';
import { formatAmount } from '../model/units';

type Props = {
  readonly entries: readonly HistoryEntry[];
  readonly tokens: ReadonlyMap<string, Token>;
  readonly chain: Chain;
  /** What the page calls an address. */
  readonly nameOf: (address: string) => string | undefined;
};

const MAX_SHOWN = 20;

/** What came and went, by transaction. What the account has nothing to do with otherwise is shown on request. */
export function HistoryList({ entries, tokens, chain, nameOf }: Props): VNode | null {
  const [most, setMost] = useState(MAX_SHOWN);
  const [isWhole, setWhole] = useState(false);
  const words: HistoryWords = {
    coins: (wei) => `${formatAmount(wei)} ${networkOfChain(chain).symbol}`,
    name: (address) => nameOf(address) ?? shortAddress(address),
    amount: (asset, amount) => {
      if (asset.kind === 'erc721') return `NFT #${asset.id} of ${shortAddress(asset.token)}`;
      if (asset.kind === 'erc1155') return `${amount} of item #${asset.id} of ${shortAddress(asset.token)}`;
      const token = tokens.get(asset.token);
      const what = token === undefined ? `tokens of ${shortAddress(asset.token)}` : token.symbol;
      if (isUnlimited(amount)) return `all ${what}`;
      return token === undefined ? what : `${formatAmount(amount, token.decimals)} ${what}`;
    },
  };
  const known = entries.filter(({ isUnknown }) => !isUnknown);
  const shown = isWhole ? entries : known;
  if (entries.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="history">
      <h2 id="history">What came and went</h2>
      <p class="hint">
        As the tokens’ contracts logged it. Coins are in this list only where the network logs their transfers.
      </p>
      <ul class="rows" aria-label="History">
        {shown.slice(0, most).map((entry) => {
          const external = explorerLink(networkOfChain(chain), 'tx', entry.transaction as Hash);
          return (
            <li class="item" key={entry.transaction}>
              <h3>{historyTitle(entry, words)}</h3>
              <p class="hint">
                Block {entry.block.toLocaleString('en-US')}
                {entry.isUnknown ? '. The account has used none of these tokens.' : ''}
              </p>
              <a
                class="button small"
                href={external ?? linkTo('explorer', 'transaction', entry.transaction)}
                {...(external && { rel: 'noreferrer' })}
              >
                View transaction<span class="visually-hidden"> {shortAddress(entry.transaction)}</span>
              </a>
            </li>
          );
        })}
      </ul>
      <div class="actions">
        {shown.length > most ? (
          <button
            type="button"
            onClick={() => {
              setMost(most + MAX_SHOWN);
            }}
          >
            Show more
          </button>
        ) : null}
        {known.length === entries.length ? null : (
          <button
            type="button"
            aria-pressed={isWhole}
            onClick={() => {
              setWhole(!isWhole);
            }}
          >
            {isWhole ? 'Hide unknown tokens' : 'Show unknown tokens too'}
          </button>
        )}
      </div>
    </section>
  );
}
