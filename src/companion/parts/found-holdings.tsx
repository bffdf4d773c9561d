import { type VNode } from 'preact';

import { isCopiedSymbol } from '../../core/decode/metadata/tokens';
import { type Hex } from '../../core/eth/bytes';
import { type Holding } from '../../core/ledger/holdings';
import { shortAddress } from '../model/account-name';
import { networkOfChain } from '../model/network';
import { type Token, watchToken } from '../model/tokens';
import { type Chain } from '../model/types';
import { counted, formatAmount, numberOf } from '../model/units';
import { useChainTokens } from '../model/use-chain-tokens';
import { Identicon } from './identicon';
import { Panel } from './panel';

type RowProps = { readonly holding: Holding; readonly token: Token | undefined; readonly chain: Chain };

const titleOf = ({ kind, token, id, amount }: Holding, known: Token | undefined): string => {
  if (kind === 'erc721') return `NFT #${id} of ${shortAddress(token)}`;
  if (kind === 'erc1155') return `${amount} of item #${id} of ${shortAddress(token)}`;
  return known === undefined
    ? `Token ${shortAddress(token)}`
    : `${formatAmount(amount, known.decimals)} “${known.symbol}”`;
};

function HoldingRow({ holding, token, chain }: RowProps): VNode {
  const network = { chainId: numberOf(chain.chainId), coin: networkOfChain(chain).symbol };
  const isCopy = token !== undefined && isCopiedSymbol(token.symbol, token.address as Hex, network, {});
  return (
    <li class="row">
      <Identicon address={holding.token} size={32} />
      <div class="who">
        <h3>{titleOf(holding, token)}</h3>
        {token === undefined ? null : <p class="hint">The contract calls itself “{token.name}”.</p>}
        <p class="address">{holding.token}</p>
        {isCopy ? <p class="warning">It has the symbol of a well-known token, and is another one.</p> : null}
      </div>
      {token === undefined ? null : (
        <div class="row-actions">
          <button type="button" class="small" onClick={() => watchToken(token)}>
            Show it on Home<span class="visually-hidden">: {token.symbol}</span>
          </button>
        </div>
      )}
    </li>
  );
}

type Props = {
  readonly holdings: readonly Holding[];
  readonly tokens: ReadonlyMap<string, Token>;
  readonly chain: Chain;
};

/**
 * What came in and is not shown on Home yet. What the account never used may be spam, so it is folded away, and the
 * names that its contracts chose are quoted.
 */
export function FoundHoldings({ holdings, tokens, chain }: Props): VNode | null {
  const watched = new Set(useChainTokens(chain).map(({ address }) => address.toLowerCase()));
  const others = holdings.filter(({ token }) => !watched.has(token));
  const rowsOf = (some: readonly Holding[]): VNode[] =>
    some.map((holding) => (
      <HoldingRow
        key={`${holding.token} ${holding.id ?? ''}`}
        holding={holding}
        token={holding.kind === 'erc20' ? tokens.get(holding.token) : undefined}
        chain={chain}
      />
    ));
  const used = others.filter(({ isUsed }) => isUsed);
  const unknown = others.filter(({ isUsed }) => !isUsed);
  if (others.length === 0) return null;
  return (
    <Panel id="holdings" title="Also held">
      {used.length === 0 ? null : (
        <ul class="rows" aria-label="Also held">
          {rowsOf(used)}
        </ul>
      )}
      {unknown.length === 0 ? null : (
        <details>
          <summary>{counted(unknown.length, 'unknown token')} that somebody sent to this account</summary>
          <p class="hint">Many are bait: their names lead to sites that ask for a signature. Do nothing with them.</p>
          <ul class="rows" aria-label="Unknown tokens">
            {rowsOf(unknown)}
          </ul>
        </details>
      )}
    </Panel>
  );
}
