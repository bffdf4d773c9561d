import { useEffect, useState } from 'preact/hooks';

import { type Activity, isPending } from './activity';
import { messageOf } from './errors';
import { type SnapClient } from './snap-client';

const POLL_INTERVAL = 4000;

export type ActivityRead = { readonly list?: readonly Activity[]; readonly error?: string };

/** Reads what was signed and sent, then its status, and again every 4 s while something is pending. */
export function useActivity(client: SnapClient): ActivityRead {
  const [read, setRead] = useState<ActivityRead>({});
  useEffect(() => {
    let isShown = true;
    let timer: ReturnType<typeof setTimeout>;
    const look = async (lookUp: boolean): Promise<void> => {
      let list: readonly Activity[] = [];
      try {
        list = await client.dapp<readonly Activity[]>('keystead_getActivity', { lookUp });
        if (isShown) setRead({ list });
      } catch (error) {
        if (isShown) setRead((before) => ({ ...before, error: messageOf(error) }));
      }
      if (!isShown || !list.some(isPending)) return;
      // What is stored is shown at once; services are asked after it.
      if (lookUp) timer = setTimeout(() => void look(true), POLL_INTERVAL);
      else await look(true);
    };
    void look(false);
    return () => {
      isShown = false;
      clearTimeout(timer);
    };
  }, [client]);
  return read;
}
