import { pageOf } from './page';
import { CODES, ProviderRpcError } from './rpc-error';
import { type AnnouncedProvider, type Eip1193Provider } from './types';

/** The reversed domain name that this provider announces itself with, and does not take for a wallet. */
export const OUR_RDNS = 'app.keystead';

/** What a wallet tells of a snap that a page may use (`wallet_getSnaps`). */
export type SnapOfWallet = {
  readonly version?: string;
  readonly enabled?: boolean;
  readonly blocked?: boolean;
};

/** A wallet that hosts snaps. */
export type SnapWallet = AnnouncedProvider & {
  /** The snaps that this page may use in it, by id, as of now. */
  readonly snaps: Readonly<Record<string, SnapOfWallet>>;
};

/** MetaMask's builds, best first: only Flask installs any snap, the others those of an allow-list. */
const METAMASK = ['io.metamask.flask', 'io.metamask'];

/** Milliseconds that a wallet has to say which snaps it has. Nobody is asked, so it answers at once or never. */
const PROBE_TIMEOUT = 3000;
/** Milliseconds that wallets have to announce themselves when none has yet: extensions may come after the page. */
const ANNOUNCE_TIMEOUT = 1000;

const NO_WALLET =
  'No wallet that hosts snaps is in this page. Install MetaMask Flask (https://docs.metamask.io/snaps/get-started/install-flask/), reload the page, and connect again.';
const NO_PAGE = 'There is no page here in which a wallet could be found: hand one over (the option "wallet").';

/** Calls `found` for every wallet that announces itself, now or later. @returns What ends it. */
function listen(page: EventTarget, found: (wallet: AnnouncedProvider) => void): () => void {
  const announced = (event: Event): void => {
    const { detail } = event as Event & { readonly detail?: Partial<AnnouncedProvider> | null };
    if (typeof detail?.provider?.request !== 'function' || typeof detail.info?.rdns !== 'string') return;
    if (detail.info.rdns !== OUR_RDNS) found(detail as AnnouncedProvider);
  };
  page.addEventListener('eip6963:announceProvider', announced);
  page.dispatchEvent(new Event('eip6963:requestProvider'));
  return () => {
    page.removeEventListener('eip6963:announceProvider', announced);
  };
}

/** @returns The snaps of a wallet's answer, which may be anything; undefined if it is no object of snaps. */
export function snapsIn(answer: unknown): Record<string, SnapOfWallet & { readonly error?: unknown }> | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined;
  return Object.fromEntries(Object.entries(answer).filter(([, snap]) => typeof snap === 'object' && snap !== null));
}

/**
 * Asks a wallet for the snaps that this page may use (`wallet_getSnaps`). Nobody is asked for consent.
 *
 * @returns undefined if it hosts none, or does not answer in time.
 */
export async function snapsOf(wallet: Eip1193Provider): Promise<SnapWallet['snaps'] | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, PROBE_TIMEOUT, undefined);
  });
  try {
    const snaps = await Promise.race([wallet.request({ method: 'wallet_getSnaps' }), late]);
    return snapsIn(snaps);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/** Smaller is better: who has the snap already before who has not; MetaMask's builds before the others, as they came. */
function rankOf({ info, snaps }: SnapWallet, snapId: string): number {
  const index = METAMASK.indexOf(info.rdns);
  const among = index === -1 ? METAMASK.length : index;
  return snaps[snapId] === undefined ? METAMASK.length + 1 + among : among;
}

/**
 * The wallets of the page that host snaps (EIP-6963, then `wallet_getSnaps`), best first.
 *
 * @throws {ProviderRpcError} 4900 if there is none, with what to do.
 */
export async function findSnapWallets(snapId: string): Promise<[SnapWallet, ...SnapWallet[]]> {
  const page = pageOf();
  if (page === undefined) throw new ProviderRpcError(CODES.disconnected, NO_PAGE);
  // By what answers: the UUID is only what a wallet says, and another one could say the same.
  const probes = new Map<Eip1193Provider, Promise<SnapWallet | undefined>>();
  const probe = async (wallet: AnnouncedProvider): Promise<SnapWallet | undefined> => {
    const snaps = await snapsOf(wallet.provider);
    return snaps && { ...wallet, snaps };
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stop: (() => void) | undefined;
  const someHost = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ANNOUNCE_TIMEOUT);
    stop = listen(page, (wallet) => {
      if (probes.has(wallet.provider)) return;
      const probing = probe(wallet);
      probes.set(wallet.provider, probing);
      void probing.then((host) => {
        if (host !== undefined) resolve();
      });
    });
  });
  await someHost;
  clearTimeout(timer);
  stop?.();
  const hosts = (await Promise.all(probes.values())).filter((host) => host !== undefined);
  const [best, ...others] = hosts.sort((a, b) => rankOf(a, snapId) - rankOf(b, snapId));
  if (best === undefined) throw new ProviderRpcError(CODES.disconnected, NO_WALLET);
  return [best, ...others];
}
