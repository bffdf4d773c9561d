import { type VNode } from 'preact';

import { chosenChainId } from '../model/chosen-chain';
import { networkOfChain } from '../model/network';
import { holdingsOf, type Portfolio, totalOf } from '../model/portfolio';
import { linkTo } from '../model/route';
import { useSession } from '../model/session';
import { type Account, type Chain } from '../model/types';
import { formatAmount } from '../model/units';
import { Choice } from './choice';
import { Icon } from './icons';
import { Panel } from './panel';
import { ReceiveButton } from './receive-button';

type Props = {
  readonly chain: Chain | undefined;
  readonly portfolio: Portfolio | undefined;
  /** The accounts that are counted; undefined until it is known. */
  readonly controlled: readonly Account[] | undefined;
  readonly error: string | undefined;
};

/** Selects the network that Home and Send show. */
export function NetworkChoice({ chain }: { readonly chain: Chain }): VNode {
  const { chains } = useSession();
  if (chains.length === 1)
    return (
      <p class="network">
        <span class="visually-hidden">Network: </span>
        {networkOfChain(chain).name}
      </p>
    );
  return (
    <Choice
      label="Network"
      name="network"
      value={chain.chainId}
      onChange={(value) => chosenChainId.write(value)}
      options={chains.map((each) => [each.chainId, networkOfChain(each).name])}
    />
  );
}

/** Shows what the accounts that the wallet controls have together on the chosen network, and what to do with it. */
export function Total({ chain, portfolio, controlled, error }: Props): VNode {
  const { accounts } = useSession();
  const [first] = accounts;
  if (chain === undefined)
    return (
      <Panel id="total" title="Total balance" class="panel total">
        <p>Add a network to see balances, to send, and to use smart accounts.</p>
        <div class="actions">
          <a class="button main" href={linkTo('settings')}>
            Add a network
          </a>
        </div>
      </Panel>
    );
  const { symbol } = networkOfChain(chain);
  const counted = portfolio === undefined || controlled === undefined ? undefined : holdingsOf(portfolio, controlled);
  const amount = counted === undefined ? undefined : formatAmount(totalOf(counted, []).coin);
  return (
    <section class="panel total" aria-labelledby="total">
      <div class="panel-head">
        <h2 id="total">Total balance</h2>
        <NetworkChoice chain={chain} />
      </div>
      <p class="amount">
        {amount ?? (error === undefined ? '…' : 'Unavailable')} {amount === undefined ? null : <span>{symbol}</span>}
      </p>
      <p class={`status ${error === undefined ? '' : 'error'}`} role="status">
        {error}
      </p>
      <div class="actions">
        <a class="button main" href={linkTo('send')}>
          <Icon name="send" />
          Send
        </a>
        {first === undefined ? null : <ReceiveButton account={first} />}
      </div>
    </section>
  );
}
