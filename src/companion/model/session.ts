import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

import { type SnapClient } from './snap-client';
import { type Account, type Chain, type Devnet, type Storage } from './types';

/** What every view of a connected page works with. */
export type Session = {
  readonly client: SnapClient;
  readonly devnet: Devnet | undefined;
  readonly accounts: readonly Account[];
  readonly chains: readonly Chain[];
  /** null if none is set up. */
  readonly storage: Storage | null;
  /** Reads accounts, chains and the storage again. */
  readonly refresh: () => Promise<Known>;
};

/** What the snap knows. */
export type Known = Pick<Session, 'accounts' | 'chains' | 'storage'>;

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('This view needs a connected wallet.');
  return session;
}
