import { type VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import { isSameAddress } from '../../core/eth/address';
import { useChosenChain } from '../model/chosen-chain';
import { linkTo } from '../model/route';
import { emptyRow, type Row, type Transfer, transferLine } from '../model/send';
import { useSession } from '../model/session';
import { type Chain } from '../model/types';
import { canSend, type Usable } from '../model/usable';
import { useUsable } from '../model/use-usable';
import { Empty } from '../parts/empty';
import { LookupStatus } from '../parts/lookup-status';
import { SendForm } from '../parts/send-form';
import { SendProgress } from '../parts/send-progress';
import { SendReview } from '../parts/send-review';

/** The step of sending: the person fills in the form, looks at the review, or watches it being sent. */
type Stage =
  | { readonly at: 'form' }
  | { readonly at: 'review' | 'progress'; readonly transfers: readonly Transfer[]; readonly from: Usable };

type Props = {
  /** The account and the token to start with. */
  readonly address: string | undefined;
  readonly token: string | undefined;
};

type ReadyProps = {
  readonly chain: Chain;
  readonly able: readonly Usable[];
  readonly hidden: number;
  readonly start: Props;
};

function SendOn({ chain, able, hidden, start }: ReadyProps): VNode {
  const [from, setFrom] = useState(
    (able.find(({ account }) => isSameAddress(account.address, start.address ?? '')) ?? able[0])?.account.address ?? '',
  );
  const [rows, setRows] = useState<readonly Row[]>([emptyRow(0, start.token)]);
  const [stage, setStage] = useState<Stage>({ at: 'form' });
  const area = useRef<HTMLDivElement>(null);
  const shown = useRef(stage.at);
  useEffect(() => {
    // What had the focus is gone: the keyboard and screen readers go on at the start of the next stage.
    if (shown.current !== stage.at) area.current?.querySelector<HTMLElement>('h2, select')?.focus();
    shown.current = stage.at;
  }, [stage.at]);
  const toForm = (): void => setStage({ at: 'form' });
  return (
    <div ref={area}>
      {stage.at === 'form' ? (
        <SendForm
          chain={chain}
          able={able}
          hidden={hidden}
          from={from}
          rows={rows}
          onFrom={setFrom}
          onRows={setRows}
          onReview={(transfers, sender) => setStage({ at: 'review', transfers, from: sender })}
        />
      ) : stage.at === 'review' ? (
        <SendReview
          chain={chain}
          from={stage.from}
          transfers={stage.transfers}
          onBack={toForm}
          onSend={() => setStage({ ...stage, at: 'progress' })}
        />
      ) : (
        <SendProgress
          chain={chain}
          account={stage.from.account}
          calls={stage.transfers.map(({ call }) => call)}
          lines={stage.transfers.map((transfer) => transferLine(transfer, chain))}
          recipients={stage.transfers.map(({ recipient }) => recipient)}
          next="Send something else"
          onSent={() => setRows([emptyRow(0)])}
          onClose={toForm}
        />
      )}
    </div>
  );
}

/** Sends a token or several calls: fill in, review, then watch it from the signature to its confirmation. */
export function Send(start: Props): VNode {
  const { accounts } = useSession();
  const chain = useChosenChain();
  const usable = useUsable(chain, accounts);
  if (accounts.length === 0 || chain === undefined)
    return (
      <Empty heading="Send" title={accounts.length === 0 ? 'No accounts yet' : 'No networks yet'}>
        <p>{accounts.length === 0 ? 'Create an account to send from.' : 'Add a network to send on.'}</p>
        <a class="button main" href={linkTo(accounts.length === 0 ? 'add-account' : 'settings')}>
          {accounts.length === 0 ? 'Create an account' : 'Add a network'}
        </a>
      </Empty>
    );
  return (
    <>
      <h1>Send</h1>
      {usable === undefined ? (
        <LookupStatus>Loading…</LookupStatus>
      ) : (
        <SendOn
          key={chain.chainId}
          chain={chain}
          able={usable.filter((one) => canSend(one, chain))}
          hidden={accounts.length - usable.filter((one) => canSend(one, chain)).length}
          start={start}
        />
      )}
    </>
  );
}
