import { type VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type Address, type GetCallsStatusReturnType } from 'viem';
import { getCallsStatus, sendCalls } from 'viem/actions';

import { isRejection, messageOf } from '../model/errors';
import { isWaitingForOwners, PENDING } from '../model/calls-status';
import { networkOfChain } from '../model/network';
import { viemChainOf } from '../model/node';
import { linkTo } from '../model/route';
import { type Recipient } from '../model/recipient';
import { type Transfer } from '../model/send';
import { useSession } from '../model/session';
import { type Account, type Chain } from '../model/types';
import { hexChainOf } from '../model/units';
import { walletOf } from '../model/wallet-client';
import { Included } from './included';
import { SaveContact } from './save-contact';
import { Steps } from './steps';

const POLL_INTERVAL = 1000;
const STEPS = ['Approve in Keystead', 'Sent to the network', 'Confirmed'] as const;
/** Before the first time that this page uses an account. */
const CONNECT = 'Connect this page';

/** The final statuses of EIP-5792 in words. */
const OUTCOMES: Readonly<Record<number, string>> = {
  200: 'Confirmed.',
  400: 'Failed: it was not included on the network, and will not be.',
  500: 'Failed: it was included but reverted, so nothing was done. The network fee may still be charged.',
  600: 'Partly failed: it was included, but some calls reverted.',
};

type Progress =
  | { readonly at: 'asking' }
  | { readonly at: 'sent'; readonly id: string; readonly status?: GetCallsStatusReturnType; readonly error?: string }
  | { readonly at: 'failed'; readonly error: string; readonly isRejected: boolean };

type Props = {
  readonly chain: Chain;
  readonly account: Account;
  readonly calls: readonly Transfer['call'][];
  /** A line for each call that says what it does. */
  readonly lines: readonly string[];
  /** The recipients that may become contacts afterwards. */
  readonly recipients?: readonly Recipient[];
  /** The label of the button that leads on. */
  readonly next: string;
  /** Called once it is sent. */
  readonly onSent: () => void;
  /** Back to where it began. */
  readonly onClose: () => void;
};

/** Sends, and follows what was sent until its status is final. */
export function SendProgress(props: Props): VNode {
  const { chain, account, calls, lines, recipients = [], next: nextLabel, onSent, onClose } = props;
  const { client } = useSession();
  const [progress, setProgress] = useState<Progress>({ at: 'asking' });
  const [connecting, setConnecting] = useState<'open' | 'done'>();

  useEffect(() => {
    let isShown = true;
    const show = (next: Progress): void => {
      if (isShown) setProgress(next);
    };
    const send = async (): Promise<string> => {
      await client.useAccount(account.address, () => {
        if (isShown) setConnecting('open');
      });
      if (isShown) setConnecting((before) => before && 'done');
      await client.useChain(hexChainOf(chain.chainId));
      const { id } = await sendCalls(walletOf(client), {
        account: account.address as Address,
        chain: viemChainOf(chain),
        calls: [...calls],
      });
      return id;
    };
    send().then(
      (id) => {
        onSent();
        show({ at: 'sent', id });
      },
      (error: unknown) => {
        show({ at: 'failed', error: messageOf(error), isRejected: isRejection(error) });
      },
    );
    return () => {
      isShown = false;
    };
  }, []);

  const id = progress.at === 'sent' ? progress.id : undefined;
  useEffect(() => {
    if (id === undefined) return undefined;
    let isShown = true;
    let timer: ReturnType<typeof setTimeout>;
    const poll = async (): Promise<void> => {
      let next: Progress;
      try {
        const status = await getCallsStatus(walletOf(client), { id });
        next = { at: 'sent', id, status };
      } catch (error) {
        next = { at: 'sent', id, error: messageOf(error) };
      }
      if (!isShown) return;
      setProgress(next);
      if ((next.status?.statusCode ?? PENDING) === PENDING) timer = setTimeout(() => void poll(), POLL_INTERVAL);
    };
    void poll();
    return () => {
      isShown = false;
      clearTimeout(timer);
    };
  }, [id]);

  const status = progress.at === 'sent' ? progress.status : undefined;
  const outcome = status === undefined ? undefined : OUTCOMES[status.statusCode];
  const isConfirmed = status?.statusCode === 200;
  const isWaiting = outcome === undefined && isWaitingForOwners(status);
  const steps = connecting === undefined ? STEPS : [CONNECT, ...STEPS];
  const done = progress.at !== 'sent' ? 0 : isConfirmed ? STEPS.length : outcome === undefined && !isWaiting ? 2 : 1;
  const current = connecting === 'done' ? done + 1 : done;
  return (
    <section class="panel" aria-labelledby="progress">
      <h2 id="progress" tabIndex={-1}>
        {isConfirmed ? 'Sent' : progress.at !== 'failed' ? 'Sending' : progress.isRejected ? 'Not sent' : 'Failed'}
        {calls.length === 1 ? '' : ` ${calls.length} calls`}
      </h2>
      <ul class="plain">
        {lines.map((line, index) => (
          <li key={index}>{line}</li>
        ))}
      </ul>
      <Steps label="Progress" steps={steps} current={current} />
      <div class="sent" role="status">
        {progress.at === 'asking' ? (
          <p>
            {connecting === 'open'
              ? `Keystead asks whether this page may use ${account.name}. Then it asks about what you send.`
              : 'Look for Keystead’s dialog, and approve or reject there.'}
          </p>
        ) : null}
        {progress.at === 'failed' ? (
          <>
            <p class={`status ${progress.isRejected ? '' : 'error'}`}>{progress.error}</p>
            {progress.isRejected ? null : (
              <p>
                Before you try again, look in <a href={linkTo('activity')}>Activity</a> whether it was sent.
              </p>
            )}
          </>
        ) : null}
        {progress.at === 'sent' ? (
          <p class={`status ${isConfirmed ? 'success' : outcome === undefined ? '' : 'error'}`}>
            {outcome ??
              (isWaiting
                ? 'Other owners of the account have to sign before it can be sent.'
                : `Waiting for ${networkOfChain(chain).name} to include it. You can leave this page.`)}
          </p>
        ) : null}
        {isWaiting ? (
          <p>
            <a href={linkTo('proposals')}>Collect their signatures</a>
          </p>
        ) : null}
        {progress.at === 'sent' && progress.error !== undefined ? <p class="status error">{progress.error}</p> : null}
        {status?.receipts?.map(({ transactionHash }) => (
          <Included key={transactionHash} chain={chain} account={account.address} hash={transactionHash} />
        ))}
      </div>
      {isConfirmed ? <SaveContact recipients={recipients} /> : null}
      <div class="actions">
        {progress.at === 'asking' ? null : (
          <button type="button" class="main" onClick={onClose}>
            {progress.at === 'failed' ? 'Back' : nextLabel}
          </button>
        )}
        {progress.at === 'sent' ? (
          <a class="button" href={linkTo('activity')}>
            All activity
          </a>
        ) : null}
      </div>
    </section>
  );
}
