import { type VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { messageOf } from '../model/errors';
import { linkTo } from '../model/route';
import { type CallsStatus } from '../model/types';

const POLL_INTERVAL = 1000;

/** The status codes of EIP-5792. */
const WORDS: Readonly<Record<number, string>> = {
  100: 'Pending…',
  200: 'Confirmed.',
  400: 'Failed: it was not included on the network, and will not be.',
  500: 'Failed: it was included but reverted, so nothing was done. The network fee may still be charged.',
  600: 'Partly failed: it was included, but some calls reverted.',
};

/** Follows the status of what was sent until it is final. */
export function SentCalls({ id, lookUp }: { readonly id: string; readonly lookUp: () => Promise<CallsStatus> }): VNode {
  const [status, setStatus] = useState<CallsStatus>();
  const [error, setError] = useState<string>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let isShown = true;
    const poll = async (): Promise<void> => {
      let isFinal = false;
      try {
        const now = await lookUp();
        isFinal = now.status !== 100;
        if (isShown) setStatus(now);
        setError(undefined);
      } catch (thrown) {
        setError(messageOf(thrown));
      }
      if (isShown && !isFinal) timer = setTimeout(() => void poll(), POLL_INTERVAL);
    };
    void poll();
    return () => {
      isShown = false;
      clearTimeout(timer);
    };
  }, [id]);
  return (
    <div class="sent" role="status">
      <p>
        <strong>{WORDS[status?.status ?? 100] ?? `Status ${status?.status}`}</strong>
      </p>
      {error === undefined ? null : <p class="status error">{error}</p>}
      {status?.receipts?.map(({ transactionHash, blockNumber }) => (
        <p key={transactionHash}>
          <a href={linkTo('explorer', 'transaction', transactionHash)}>View transaction</a> in{' '}
          <a href={linkTo('explorer', 'block', BigInt(blockNumber).toString())}>
            block {BigInt(blockNumber).toString()}
          </a>
        </p>
      ))}
    </div>
  );
}
