import { type VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type Address, type GetCallsStatusReturnType } from 'viem';
import { getCallsStatus, sendCalls } from 'viem/actions';

import { isRejection, messageOf } from '../model/errors';
import { accountName, shortAddress } from '../model/account-name';
import { networkOfChain } from '../model/network';
import { viemChainOf } from '../model/node';
import { linkTo } from '../model/route';
import { type Transfer } from '../model/send';
import { useSession } from '../model/session';
import { type Account, type Chain } from '../model/types';
import { formatAmount, hexChainOf } from '../model/units';
import { walletOf } from '../model/wallet-client';
import { Included } from './included';
import { SaveContact } from './save-contact';
import { Steps } from './steps';

const POLL_INTERVAL = 1000;
const STEPS = ['Approve in Keystead', 'Sent to the network', 'Confirmed'] as const;
/** Before the first time that this page uses an account. */
const CONNECT = 'Connect this page';

/** The statuses of EIP-5792: pending, and the final ones in words. */
const PENDING = 100;
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
  readonly transfers: readonly Transfer[];
  /** Called once it is sent. */
  readonly onSent: () => void;
  /** Back to the form. */
  readonly onClose: () => void;
};

/** Sends, and follows what was sent until its status is final. */
export function SendProgress({ chain, account, transfers, onSent, onClose }: Props): VNode {
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
        calls: transfers.map(({ call }) => call),
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
  const steps = connecting === undefined ? STEPS : [CONNECT, ...STEPS];
  const done = progress.at === 'sent' ? (isConfirmed ? STEPS.length : outcome === undefined ? 2 : 1) : 0;
  const current = connecting === 'done' ? done + 1 : done;
  return (
    <section class="panel" aria-labelledby="progress">
      <h2 id="progress" tabIndex={-1}>
        {isConfirmed ? 'Sent' : progress.at !== 'failed' ? 'Sending' : progress.isRejected ? 'Not sent' : 'Failed'}
        {transfers.length === 1 ? '' : ` ${transfers.length} calls`}
      </h2>
      <ul class="plain">
        {transfers.map(({ recipient, token, amount }, index) => (
          <li key={index}>
            {formatAmount(amount, token?.decimals)} {token?.symbol ?? networkOfChain(chain).symbol} to{' '}
            {recipient.name ?? shortAddress(recipient.address)}
          </li>
        ))}
      </ul>
      <Steps label="Progress" steps={steps} current={current} />
      <div class="sent" role="status">
        {progress.at === 'asking' ? (
          <p>
            {connecting === 'open'
              ? `Keystead asks whether this page may use ${accountName(account)}. Then it asks about what you send.`
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
            {outcome ?? `Waiting for ${networkOfChain(chain).name} to include it. You can leave this page.`}
          </p>
        ) : null}
        {progress.at === 'sent' && progress.error !== undefined ? <p class="status error">{progress.error}</p> : null}
        {status?.receipts?.map(({ transactionHash }) => (
          <Included key={transactionHash} chain={chain} account={account} hash={transactionHash} />
        ))}
      </div>
      {isConfirmed ? <SaveContact recipients={transfers.map(({ recipient }) => recipient)} /> : null}
      <div class="actions">
        {progress.at === 'asking' ? null : (
          <button type="button" class="main" onClick={onClose}>
            {progress.at === 'failed' ? 'Back' : 'Send something else'}
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
