import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

import { type SnapClient } from './snap-client';
import { type Account, type Devnet, type SnapData } from './types';

/** The data of the snap, with the names of the accounts. */
type NamedData = Omit<SnapData, 'accounts'> & { readonly accounts: readonly Account[] };

/** The state that every view of a connected page works with. See {@link useSession}. */
export type Session = NamedData & {
  readonly client: SnapClient;
  readonly devnet: Devnet | undefined;
  /**
   * The number of times that the wallet was unlocked since the page opened. What is read through it is read again each
   * time.
   */
  readonly unlocks: number;
  /** The number of times that another tab changed something, or this tab became visible again. */
  readonly changes: number;
  /** Tells the other tabs that something was sent or signed. */
  readonly changed: () => void;
  /** Reads the accounts, chains, storage and tokens from the snap again. */
  readonly refresh: () => Promise<NamedData>;
};

/** What the parts that show an account need, with a connected wallet or, for an account of a passkey, without one. */
export type Viewing = Pick<Session, 'accounts' | 'chains' | 'tokens' | 'devnet'>;

export const SessionContext = createContext<Session | undefined>(undefined);
/** For pages without a wallet. */
export const ViewingContext = createContext<Viewing | undefined>(undefined);

/** @returns Whether a wallet is connected: most views need one. */
export const useHasWallet = (): boolean => useContext(SessionContext) !== undefined;

/** @throws If the view was given no account to show. */
export function useViewing(): Viewing {
  const [session, viewing] = [useContext(SessionContext), useContext(ViewingContext)];
  const either = viewing ?? session;
  if (either === undefined) throw new Error('This view needs an account.');
  return either;
}

/** @throws If no wallet is connected. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('This view needs a connected wallet.');
  return session;
}
