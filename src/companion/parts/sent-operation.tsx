import { type ComponentChildren, type VNode } from 'preact';
import { useEffect } from 'preact/hooks';

import { progressOf, UNKNOWN_TITLE } from '../../core/calls/progress';
import { type HandedOver } from '../model/sign-proposal';
import { type Chain } from '../model/types';
import { useSentOperation } from '../model/use-sent-operation';
import { Included } from './included';
import { Panel } from './panel';

type Props = {
  readonly chain: Chain;
  readonly account: string;
  readonly sent: HandedOver;
  /** Called once the network has included it. */
  readonly onIncluded?: () => void;
  /** Once it was carried out. */
  readonly children?: ComponentChildren;
};

const STATUS = { waiting: 100, confirmed: 200, failed: 500 } as const;

/** Follows a user operation that this page sent itself until it is included. */
export function SentOperation({ chain, account, sent: { hash, isUnclear }, onIncluded, children }: Props): VNode {
  const { at, transaction, error } = useSentOperation(chain, hash);
  useEffect(() => {
    if (at !== 'waiting') onIncluded?.();
  }, [at]);
  const { state, text, tone } = progressOf({
    status: STATUS[at],
    isUnclear,
    ...(error !== undefined && { remark: 'no-answer' }),
  });
  const heading = { included: 'Sent', failed: 'Failed', unknown: UNKNOWN_TITLE }[state as string] ?? 'Sending';
  return (
    <Panel id="progress" title={heading}>
      <div class="sent" role="status">
        <p class={`status ${tone}`}>
          {text}
          {state === 'handed-over' ? ' You can leave this page.' : ''}
        </p>
        {error === undefined ? null : <p class="status error">{error}</p>}
        {transaction === undefined ? null : <Included chain={chain} account={account} hash={transaction} />}
      </div>
      {state === 'included' ? children : null}
    </Panel>
  );
}
