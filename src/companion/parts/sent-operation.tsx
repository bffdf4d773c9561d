import { type VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type Hash } from 'viem';

import { messageOf } from '../model/errors';
import { operationReceiptOf } from '../model/look-up';
import { networkOfChain } from '../model/network';
import { type Chain } from '../model/types';
import { Included } from './included';

const POLL_INTERVAL = 1000;

type State = { readonly at: 'waiting' | 'failed' | 'confirmed'; readonly transaction?: Hash; readonly error?: string };

type Props = { readonly chain: Chain; readonly account: string; readonly hash: Hash };

/** Follows a user operation that this page sent itself until it is included. */
export function SentOperation({ chain, account, hash }: Props): VNode {
  const [{ at, transaction, error }, setState] = useState<State>({ at: 'waiting' });
  useEffect(() => {
    let isShown = true;
    let timer: ReturnType<typeof setTimeout>;
    const poll = async (): Promise<void> => {
      let next: State;
      try {
        const receipt = await operationReceiptOf(chain, hash);
        next =
          receipt?.userOpHash !== hash
            ? { at: 'waiting' }
            : { at: receipt.success ? 'confirmed' : 'failed', transaction: receipt.receipt.transactionHash };
      } catch (thrown) {
        next = { at: 'waiting', error: messageOf(thrown) };
      }
      if (!isShown) return;
      setState(next);
      if (next.at === 'waiting') timer = setTimeout(() => void poll(), POLL_INTERVAL);
    };
    void poll();
    return () => {
      isShown = false;
      clearTimeout(timer);
    };
  }, [hash]);
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
