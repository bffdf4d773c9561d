import { type VNode } from 'preact';
import { type Hash } from 'viem';

import { networkOfChain } from '../model/network';
import { type Chain } from '../model/types';
import { useSentOperation } from '../model/use-sent-operation';
import { Included } from './included';

type Props = { readonly chain: Chain; readonly account: string; readonly hash: Hash };

/** Follows a user operation that this page sent itself until it is included. */
export function SentOperation({ chain, account, hash }: Props): VNode {
  const { at, transaction, error } = useSentOperation(chain, hash);
  return (
    <section class="panel" aria-labelledby="progress">
      <h2 id="progress">{at === 'confirmed' ? 'Sent' : at === 'failed' ? 'Failed' : 'Sending'}</h2>
      <div class="sent" role="status">
        <p class={`status ${at === 'confirmed' ? 'success' : at === 'failed' ? 'error' : ''}`}>
          {at === 'confirmed'
            ? 'Confirmed.'
            : at === 'failed'
              ? 'Failed: it was included but reverted, so nothing was done. The network fee was charged.'
              : `Waiting for ${networkOfChain(chain).name} to include it. You can leave this page.`}
        </p>
        {error === undefined ? null : <p class="status error">{error}</p>}
        {transaction === undefined ? null : <Included chain={chain} account={account} hash={transaction} />}
      </div>
    </section>
  );
}
