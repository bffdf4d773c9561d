import { useEffect, useState } from 'preact/hooks';
import { type Hash } from 'viem';

import { type Activity, type Fate, isPending } from './activity';
import { messageOf } from './errors';
import { isOpen, withFates } from './fate';
import { type Session } from './session';

const POLL_INTERVAL = 4000;

type Read = { readonly list?: readonly Activity[]; readonly error?: string };

export type ActivityRead = Read & {
  /** Reads it again at once. */
  readonly reread: () => void;
};

/**
 * Reads what was signed and sent, then what became of it, and again every 4 s while something is pending or may still
 * be sent by MetaMask or a site.
 */
export function useActivity({
  client,
  chains,
  unlocks,
  changes,
}: Pick<Session, 'client' | 'chains' | 'unlocks' | 'changes'>): ActivityRead {
  const [read, setRead] = useState<Read>({});
  const [reads, setReads] = useState(0);
  useEffect(() => {
    let isShown = true;
    let timer: ReturnType<typeof setTimeout>;
    const fates = new Map<Hash, Fate>();
    const look = async (lookUp: boolean): Promise<void> => {
      let list: readonly Activity[] = [];
      try {
        list = await client.dapp('keystead_getActivity', { lookUp });
        // What is stored is shown at once; services are asked after it.
        if (lookUp) list = await withFates(list, chains, fates);
        if (isShown) setRead({ list });
      } catch (error) {
        if (isShown) setRead((before) => ({ ...before, error: messageOf(error) }));
        return;
      }
      if (!isShown) return;
      if (!lookUp) await look(true);
      else if (list.some((entry) => isPending(entry) || isOpen(entry, Date.now())))
        timer = setTimeout(() => void look(true), POLL_INTERVAL);
    };
    void look(false);
    return () => {
      isShown = false;
      clearTimeout(timer);
    };
  }, [client, chains, unlocks, changes, reads]);
  const reread = (): void => setReads((before) => before + 1);
  return { ...read, reread };
}
