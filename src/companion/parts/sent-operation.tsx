import { type VNode } from 'preact';
import { type Hash } from 'viem';

import { PROGRESS } from '../../core/calls/progress';
import { type Chain } from '../model/types';
import { useSentOperation } from '../model/use-sent-operation';
import { Included } from './included';

type Props = { readonly chain: Chain; readonly account: string; readonly hash: Hash };

/** Follows a user operation that this page sent itself until it is included. */
export function SentOperation({ chain, account, hash }: Props): VNode {
  const { at, transaction, error } = useSentOperation(chain, hash);
  const { state, text, tone } =
    at === 'waiting'
      ? PROGRESS[error === undefined ? 'handed-over' : 'unknown']
      : PROGRESS[at === 'confirmed' ? 'included' : 'failed'];
  return (
    <section class="panel" aria-labelledby="progress">
      <h2 id="progress">{state === 'included' ? 'Sent' : state === 'failed' ? 'Failed' : 'Sending'}</h2>
      <div class="sent" role="status">
        <p class={`status ${tone}`}>
          {text}
          {state === 'handed-over' ? ' You can leave this page.' : ''}
        </p>
        {error === undefined ? null : <p class="status error">{error}</p>}
        {transaction === undefined ? null : <Included chain={chain} account={account} hash={transaction} />}
      </div>
    </section>
  );
}
