import { type VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { sentenceOf } from '../model/errors';
import { linkTo } from '../model/route';
import { type CallsStatus } from '../model/types';

const POLL_INTERVAL = 1000;

/** The codes of EIP-5792. */
const WORDS: Readonly<Record<number, string>> = {
  100: 'Waiting to be included…',
  200: 'Included: it succeeded.',
  400: 'It was not included, and will not be.',
  500: 'Included, but it failed: nothing of it was done.',
  600: 'Included, but a part of it failed.',
};

/** What becomes of something that was sent, until it is certain. */
export function SentCalls({ id, lookUp }: { readonly id: string; readonly lookUp: () => Promise<CallsStatus> }): VNode {
  const [status, setStatus] = useState<CallsStatus>();
  const [error, setError] = useState<string>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let isShown = true;
    const poll = async (): Promise<void> => {
      let isOver = false;
      try {
        const now = await lookUp();
        isOver = now.status !== 100;
        if (isShown) setStatus(now);
        setError(undefined);
      } catch (thrown) {
        setError(sentenceOf(thrown));
      }
      if (isShown && !isOver) timer = setTimeout(() => void poll(), POLL_INTERVAL);
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
          <a href={linkTo('explorer', 'transaction', transactionHash)}>See the transaction</a> in{' '}
          <a href={linkTo('explorer', 'block', BigInt(blockNumber).toString())}>
            block {BigInt(blockNumber).toString()}
          </a>
        </p>
      ))}
    </div>
  );
}
