import { useEffect, useMemo, useState } from 'preact/hooks';

import { isRejection, messageOf } from './errors';

/** Work that a button starts: whether it is running, and how it ended. */
export type Action = {
  readonly isBusy: boolean;
  /** The text that is shown while it is running. */
  readonly busyText: string;
  readonly message: { readonly text: string; readonly tone: 'success' | 'error' | 'rejected' } | undefined;
  /** Runs the work and shows the message that it returns. Does nothing while earlier work is running. */
  readonly run: (work: () => Promise<string | undefined>) => void;
  /** Clears the message when it no longer applies. */
  readonly forget: () => void;
};

/**
 * @param busyText - What is said while the work is running.
 * @param stage - How far that is for which the work is done. A message goes with the stage in which it is first shown.
 */
export function useAction(busyText = 'Waiting for the wallet…', stage?: string): Action {
  const [isBusy, setBusy] = useState(false);
  const [message, setMessage] = useState<Action['message']>();
  const stageOfMessage = useMemo(() => stage, [message]);
  const isOver = message !== undefined && stageOfMessage !== stage;
  useEffect(() => {
    if (isOver) setMessage(undefined);
  }, [isOver]);
  const run = (work: () => Promise<string | undefined>): void => {
    if (isBusy) return;
    setBusy(true);
    setMessage(undefined);
    work()
      .then(
        (text) => setMessage(text === undefined ? undefined : { text, tone: 'success' }),
        (error: unknown) => setMessage({ text: messageOf(error), tone: isRejection(error) ? 'rejected' : 'error' }),
      )
      .finally(() => setBusy(false));
  };
  const forget = (): void => setMessage(undefined);
  return { isBusy, busyText, message: isOver ? undefined : message, run, forget };
}
