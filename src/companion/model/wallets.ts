import { type Eip1193Provider } from '../../provider/types';

/** A wallet that can host the snap and has announced itself (EIP-6963). */
export type HostWallet = {
  readonly name: string;
  readonly rdns: string;
  readonly isSimulated: boolean;
  /** Whether it is MetaMask's edition for developers, which installs any snap and lets http pages manage accounts. */
  readonly isFlask: boolean;
  /** The wallet's own provider (EIP-1193). */
  readonly provider: Eip1193Provider;
  readonly request: <T>(method: string, params?: unknown) => Promise<T>;
};

type Detail = {
  readonly info: { readonly rdns: string };
  readonly provider: Eip1193Provider;
};

const SIMULATED = 'localhost.keystead.simulated-wallet';

/** Only MetaMask and the simulated wallet can host snaps. */
const canHostSnaps = ({ info: { rdns } }: Detail): boolean => rdns === SIMULATED || /^io\.metamask(?:\.|$)/u.test(rdns);

const FLASK = 'io.metamask.flask';

/**
 * The names of wallets by what they announce themselves as, which is harder to get wrong than the name they announce.
 */
const nameOf = (rdns: string): string =>
  rdns === SIMULATED ? 'Simulated wallet' : rdns === FLASK ? 'MetaMask Flask' : 'MetaMask';

const toWallet = ({ info: { rdns }, provider }: Detail): HostWallet => ({
  name: nameOf(rdns),
  rdns,
  isSimulated: rdns === SIMULATED,
  isFlask: rdns === FLASK,
  provider,
  request: async <T>(method: string, params?: unknown) =>
    (await provider.request({ method, ...(params !== undefined && { params: params as object }) })) as T,
});

/** Reports each wallet that is present or announces itself later. @returns A function that stops watching. */
export function watchWallets(onWallet: (wallet: HostWallet) => void): () => void {
  const listen = ({ detail }: CustomEventInit<Detail>): void => {
    if (detail !== undefined && canHostSnaps(detail)) onWallet(toWallet(detail));
  };
  window.addEventListener('eip6963:announceProvider', listen as EventListener);
  window.dispatchEvent(new Event('eip6963:requestProvider'));
  return () => window.removeEventListener('eip6963:announceProvider', listen as EventListener);
}
