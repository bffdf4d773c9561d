import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

import { type SnapClient } from './snap-client';
import { type Account, type Chain, type Devnet, type SnapToken, type Storage } from './types';

/** What every view of a connected page works with. See {@link useSession}. */
export type Session = {
  readonly client: SnapClient;
  readonly devnet: Devnet | undefined;
  readonly accounts: readonly Account[];
  /** The ids of the accounts that the wallet never confirmed, so that it may lack them. */
  readonly unannounced: readonly string[];
  readonly chains: readonly Chain[];
  /** null if there is none yet. */
  readonly storage: Storage | null;
  /** The tokens that sites had the snap watch (EIP-747). */
  readonly tokens: readonly SnapToken[];
  /** How often the wallet was unlocked since the page opened. What is read through it is read again each time. */
  readonly unlocks: number;
  /** Reads the accounts, chains, storage and tokens from the snap again. */
  readonly refresh: () => Promise<SnapData>;
};

/** What the page shows of the snap. */
export type SnapData = Pick<Session, 'accounts' | 'unannounced' | 'chains' | 'storage' | 'tokens'>;

export const SessionContext = createContext<Session | undefined>(undefined);

/** @throws If no wallet is connected. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('This view needs a connected wallet.');
  return session;
}
