import { useEffect, useState } from 'preact/hooks';
import { type Hash } from 'viem';

import { messageOf } from './errors';
import { everySecond } from './every-second';
import { operationReceiptOf } from './look-up';
import { type Chain } from './types';

/** How far a user operation is that was sent. */
export type SentState = {
  readonly at: 'waiting' | 'failed' | 'confirmed';
  readonly transaction?: Hash;
  /** Why the bundler could not be asked. It is asked again. */
  readonly error?: string;
};

/** Asks the network's bundler for the receipt of a user operation, until there is one. */
export function useSentOperation(chain: Chain, hash: Hash): SentState {
  const [state, setState] = useState<SentState>({ at: 'waiting' });
  useEffect(() => {
    setState({ at: 'waiting' });
    return everySecond(
      async (): Promise<SentState> => {
        try {
          const receipt = await operationReceiptOf(chain, hash);
          return receipt?.userOpHash !== hash
            ? { at: 'waiting' }
            : { at: receipt.success ? 'confirmed' : 'failed', transaction: receipt.receipt.transactionHash };
        } catch (thrown) {
          return { at: 'waiting', error: messageOf(thrown) };
        }
      },
      (next) => {
        setState(next);
        return next.at !== 'waiting';
      },
    );
  }, [hash]);
  return state;
}
