import { type VNode } from 'preact';
import { useState } from 'preact/hooks';

import { shortAddress } from '../model/account-name';
import { networkOfChain } from '../model/network';
import { type Portfolio, totalOf } from '../model/portfolio';
import { linkTo } from '../model/route';
import { useSession } from '../model/session';
import { type Token, unwatchToken } from '../model/tokens';
import { type Chain } from '../model/types';
import { formatAmount } from '../model/units';
import { useAction } from '../model/use-action';
import { ActionStatus } from './action-status';
import { AddToken } from './add-token';
import { CopyButton } from './copy-button';
import { Icon } from './icons';
import { Identicon } from './identicon';
import { RemoveButton } from './remove-button';

type Props = {
  readonly chain: Chain | undefined;
  readonly tokens: readonly Token[];
  readonly portfolio: Portfolio | undefined;
};

/** The watched tokens of the chosen network, with what all accounts have of each. */
export function TokenList({ chain, tokens, portfolio }: Props): VNode | null {
  const { client } = useSession();
  const [isAdding, setAdding] = useState(false);
  const action = useAction();
  if (chain === undefined) return null;
  const totals = portfolio === undefined ? undefined : totalOf(portfolio, tokens).tokens;
  return (
    <section class="panel" aria-labelledby="tokens">
      <div class="panel-head">
        <h2 id="tokens">Tokens</h2>
        <button type="button" class="small" aria-expanded={isAdding} onClick={() => setAdding(!isAdding)}>
          <Icon name={isAdding ? 'close' : 'plus'} />
          {isAdding ? 'Close' : 'Add'}
          <span class="visually-hidden">{isAdding ? ' the form' : ' a token'}</span>
        </button>
      </div>
      {isAdding ? <AddToken chain={chain} onAdded={() => setAdding(false)} /> : null}
      {tokens.length === 0 && !isAdding ? (
        <p class="hint">
          No tokens on {networkOfChain(chain).name} yet. Add one by its contract’s address to see its balance and to
          send it.
        </p>
      ) : (
        <ul class="rows" aria-label="Tokens">
          {tokens.map((token, index) => (
            <li class="row" key={token.address}>
              <Identicon address={token.address} size={32} />
              <div class="who">
                <h3>{token.symbol}</h3>
                <p class="hint">{token.name}</p>
                <p class="address-line">
                  <span class="address" title={token.address}>
                    {shortAddress(token.address)}
                  </span>
                  <CopyButton label={`address of ${token.symbol}`} value={token.address} />
                </p>
              </div>
              <strong class="balance">
                {totals === undefined ? '…' : formatAmount(totals[index] ?? 0n, token.decimals)} {token.symbol}
              </strong>
              <div class="row-actions">
                <a class="button small" href={linkTo('send', 'any', token.address)}>
                  <Icon name="send" />
                  Send<span class="visually-hidden"> {token.symbol}</span>
                </a>
                <RemoveButton
                  action={action}
                  verb="Hide"
                  name={token.symbol}
                  remove={() => unwatchToken(client, token)}
                />
              </div>
            </li>
          ))}
        </ul>
      )}
      <ActionStatus action={action} />
    </section>
  );
}
