import { type VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type GetCallsStatusReturnType } from 'viem';
import { getCallsStatus } from 'viem/actions';

import { PROGRESS, type ProgressState, UNKNOWN_TITLE } from '../../core/calls/progress';
import { isRejection, messageOf } from '../model/errors';
import { callsProgress, type CallsProgress, isWaitingForOwners, PENDING } from '../model/calls-status';
import { everySecond } from '../model/every-second';
import { linkTo } from '../model/route';
import { type Recipient } from '../model/recipient';
import { type Transfer } from '../model/send';
import { sendCallsFrom, UnsureError } from '../model/send-calls';
import { useSession } from '../model/session';
import { type Account, type Chain } from '../model/types';
import { walletOf } from '../model/wallet-client';
import { Included } from './included';
import { SaveContact } from './save-contact';
import { Steps } from './steps';

const STEPS = ['Approve in Keystead', 'Sent to the network', 'Confirmed'] as const;
/** Before the first time that this page uses an account. */
const CONNECT = 'Connect this page';

type Sending =
  | { readonly at: 'asking' }
  | {
      readonly at: 'sent';
      readonly id: string;
      readonly progress: CallsProgress;
      readonly status?: GetCallsStatusReturnType;
      readonly error?: string;
    }
  /** Nothing was sent, unless nobody can say so. */
  | { readonly at: 'failed'; readonly error: string; readonly how: 'rejected' | 'not-sent' | 'unsure' };

/** The number of steps that are done in each state. What is unknown may not have left this machine. */
const DONE: Readonly<Record<ProgressState, number>> = {
  asked: 0,
  approved: 1,
  unknown: 1,
  'handed-over': 2,
  seen: 2,
  failed: 2,
  included: STEPS.length,
};

const HEADINGS: Readonly<Record<ProgressState, string>> = {
  asked: 'Sending',
  approved: 'Sending',
  'handed-over': 'Sending',
  seen: 'Sending',
  unknown: UNKNOWN_TITLE,
  failed: 'Failed',
  included: 'Sent',
};

/** Until its status is read. */
const APPROVED: CallsProgress = { state: 'approved', text: 'Approved. Checking whether the network has it…' };

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
  const { client, changed } = useSession();
  const [progress, setProgress] = useState<Sending>({ at: 'asking' });
  const [connecting, setConnecting] = useState<'open' | 'done'>();

  useEffect(() => {
    let isShown = true;
    const show = (next: Sending): void => {
      if (isShown) setProgress(next);
    };
    const send = async (): Promise<string> => {
      await client.useAccount(account.address, () => {
        if (isShown) setConnecting('open');
      });
      if (isShown) setConnecting((before) => before && 'done');
      return sendCallsFrom(account, calls, chain, client);
    };
    send().then(
      (id) => {
        onSent();
        changed();
        show({ at: 'sent', id, progress: APPROVED });
      },
      (error: unknown) => {
        const how = error instanceof UnsureError ? 'unsure' : isRejection(error) ? 'rejected' : 'not-sent';
        show({ at: 'failed', error: messageOf(error), how });
      },
    );
    return () => {
      isShown = false;
    };
  }, []);

  const id = progress.at === 'sent' ? progress.id : undefined;
  useEffect(() => {
    if (id === undefined) return undefined;
    let known: CallsProgress = APPROVED;
    return everySecond(
      (): Promise<{ readonly status?: GetCallsStatusReturnType; readonly error?: string }> =>
        getCallsStatus(walletOf(client), { id }).then(
          (status) => ({ status }),
          (error: unknown) => ({ error: messageOf(error) }),
        ),
      (next) => {
        if (next.status !== undefined) known = callsProgress(next.status, known);
        setProgress({ at: 'sent', id, progress: known, ...next });
        if (known.state === 'included' || known.state === 'failed') changed();
        return (next.status?.statusCode ?? PENDING) !== PENDING;
      },
    );
  }, [id]);

  const status = progress.at === 'sent' ? progress.status : undefined;
  const { state, text } = progress.at === 'sent' ? progress.progress : PROGRESS.asked;
  const isConfirmed = state === 'included';
  const isWaiting = state === 'approved' && isWaitingForOwners(status);
  const steps = connecting === undefined ? STEPS : [CONNECT, ...STEPS];
  const done = DONE[state];
  const what = calls.length === 1 ? '' : `${calls.length} calls`;
  const heading =
    progress.at !== 'failed' ? HEADINGS[state] : progress.how === 'unsure' ? HEADINGS.unknown : 'Not sent';
  const current = connecting === 'done' ? done + 1 : done;
  return (
    <section class="panel" aria-labelledby="progress">
      <h2 id="progress" tabIndex={-1}>
        {what === '' ? heading : `${heading}: ${what}`}
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
            <p class={`status ${progress.how === 'rejected' ? '' : 'error'}`}>{progress.error}</p>
            {progress.how === 'not-sent' ? <p>Nothing was sent.</p> : null}
            {progress.how !== 'unsure' ? null : (
              <p>
                Before you try again, look in <a href={linkTo('activity')}>Activity</a> whether it was sent.
              </p>
            )}
          </>
        ) : null}
        {progress.at === 'sent' ? (
          <p class={`status ${state === 'approved' ? '' : PROGRESS[state].tone}`}>
            {text}
            {state === 'handed-over' || state === 'seen'
              ? ' You can leave this page.'
              : state === 'unknown'
                ? ' Before you send it again, look in Activity.'
                : ''}
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
