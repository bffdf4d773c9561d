import { useEffect, useState } from 'preact/hooks';
import { type Hash } from 'viem';

import { messageOf } from './errors';
import { operationReceiptOf } from './look-up';
import { type Chain } from './types';

/** How far a user operation is that was sent. */
export type SentState = {
  readonly at: 'waiting' | 'failed' | 'confirmed';
  readonly transaction?: Hash;
  /** Why the bundler could not be asked. It is asked again. */
  readonly error?: string;
};

const POLL_INTERVAL = 1000;

/** Asks the network's bundler for the receipt of a user operation, until there is one. */
export function useSentOperation(chain: Chain, hash: Hash): SentState {
  const [state, setState] = useState<SentState>({ at: 'waiting' });
  useEffect(() => {
    let isShown = true;
    let timer: ReturnType<typeof setTimeout>;
    const poll = async (): Promise<void> => {
      let next: SentState;
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
    setState({ at: 'waiting' });
    void poll();
    return () => {
      isShown = false;
      clearTimeout(timer);
    };
  }, [hash]);
  return state;
}
