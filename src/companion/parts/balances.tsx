import { type VNode } from 'preact';

import { networkOfChain } from '../model/network';
import { type Account, type Chain } from '../model/types';
import { formatAmount } from '../model/units';
import { useChainTokens } from '../model/use-chain-tokens';
import { usePortfolio } from '../model/use-portfolio';

/** Shows what an account has on one network. */
function BalancesOnChain({ account, chain }: { readonly account: Account; readonly chain: Chain }): VNode {
  const tokens = useChainTokens(chain);
  const { portfolio, error } = usePortfolio(chain, [account], tokens);
  const { name, symbol } = networkOfChain(chain);
  const holdings = portfolio?.[account.address.toLowerCase()];
  return (
    <>
      <li>
        <span>{name}</span>{' '}
        <strong>
          {holdings === undefined
            ? error === undefined
              ? '…'
              : 'Unavailable'
            : `${formatAmount(holdings.coin)} ${symbol}`}
        </strong>
        {error === undefined ? null : <span class="hint">{error}</span>}
      </li>
      {tokens.map((token, index) => {
        const amount = holdings?.tokens[index];
        return (
          <li key={token.address}>
            <span class="hint">{token.name}</span>{' '}
            <strong>
              {amount === undefined ? '…' : formatAmount(amount, token.decimals)} {token.symbol}
            </strong>
          </li>
        );
      })}
    </>
  );
}

type Props = { readonly account: Account; readonly chains: readonly Chain[] };

/** What an account has on each of its networks. */
export const Balances = ({ account, chains }: Props): VNode => (
  <ul class="balances" aria-label={`Balances of ${account.name}`}>
    {chains.map((chain) => (
      <BalancesOnChain key={chain.chainId} account={account} chain={chain} />
    ))}
  </ul>
);
