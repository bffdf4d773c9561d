import { useState } from 'preact/hooks';

import { isRefusal, sentenceOf } from './errors';

/** What a button started: whether it is still going on, and how it ended. */
export type Action = {
  readonly isBusy: boolean;
  readonly message: { readonly text: string; readonly tone: 'success' | 'error' | 'refused' } | undefined;
  /** Runs something once at a time. What it returns is said, if it is a sentence. */
  readonly run: (work: () => Promise<string | undefined>) => void;
  /** Says no more how it ended: what it was about is not there any more. */
  readonly forget: () => void;
};

export function useAction(): Action {
  const [isBusy, setBusy] = useState(false);
  const [message, setMessage] = useState<Action['message']>();
  const run = (work: () => Promise<string | undefined>): void => {
    if (isBusy) return;
    setBusy(true);
    setMessage(undefined);
    work()
      .then(
        (text) => {
          setMessage(text === undefined ? undefined : { text, tone: 'success' });
        },
        (error: unknown) => {
          setMessage({ text: sentenceOf(error), tone: isRefusal(error) ? 'refused' : 'error' });
        },
      )
      .finally(() => {
        setBusy(false);
      });
  };
  const forget = (): void => {
    setMessage(undefined);
  };
  return { isBusy, message, run, forget };
}
