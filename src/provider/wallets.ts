import { getPage } from './page';
import { CODES, ProviderRpcError } from './rpc-error';
import { type AnnouncedProvider, type Eip1193Provider } from './types';
import { within } from '../clients/within';

/** The reverse domain name that this provider announces itself with. It is skipped when looking for wallets. */
export const KEYSTEAD_RDNS = 'app.keystead';

/**
 * The report of a wallet about a snap that the page may use (`wallet_getSnaps`).
 *
 * @example
 * import { type SnapOfWallet } from 'keystead/provider';
 *
 * const isUsable = ({ enabled, blocked }: SnapOfWallet): boolean => enabled !== false && blocked !== true;
 */
export type SnapOfWallet = {
  readonly version?: string;
  readonly enabled?: boolean;
  readonly blocked?: boolean;
};

/**
 * A wallet that hosts snaps, as {@link findSnapWallets} returns it.
 *
 * @example
 * import { type SnapWallet } from 'keystead/provider';
 *
 * const hasKeystead = ({ snaps }: SnapWallet): boolean => 'npm:keystead' in snaps;
 */
export type SnapWallet = AnnouncedProvider & {
  /** The snaps of the wallet that this page may use now, by id. */
  readonly snaps: Readonly<Record<string, SnapOfWallet>>;
};

/** MetaMask's builds, best first: Flask installs any snap, the stable build only those on its allowlist. */
const METAMASK = ['io.metamask.flask', 'io.metamask'];

/** Milliseconds a wallet has to list its snaps. It opens no dialog, so it answers at once or never. */
const PROBE_TIMEOUT = 3000;
/** Milliseconds to wait for a wallet that hosts snaps: extensions may load after the page. */
const ANNOUNCE_TIMEOUT = 1000;

const NO_WALLET =
  'No wallet in this browser hosts snaps. Install MetaMask Flask (https://docs.metamask.io/snaps/get-started/install-flask/), reload the page, and connect again.';
const NO_PAGE = 'Wallets can only be found in a web page. Elsewhere, pass one as the option "wallet".';

/** Calls `onWallet` for every wallet that announces itself, now or later. @returns A function that stops listening. */
function watchWallets(page: EventTarget, onWallet: (wallet: AnnouncedProvider) => void): () => void {
  const onAnnounce = (event: Event): void => {
    const { detail } = event as Event & { readonly detail?: Partial<AnnouncedProvider> | null };
    if (typeof detail?.provider?.request !== 'function' || typeof detail.info?.rdns !== 'string') return;
    if (detail.info.rdns !== KEYSTEAD_RDNS) onWallet(detail as AnnouncedProvider);
  };
  page.addEventListener('eip6963:announceProvider', onAnnounce);
  page.dispatchEvent(new Event('eip6963:requestProvider'));
  return () => {
    page.removeEventListener('eip6963:announceProvider', onAnnounce);
  };
}

/** @returns The snaps in a wallet's answer, which is not trusted; undefined if it is not an object. */
export function parseSnaps(answer: unknown): Record<string, SnapOfWallet & { readonly error?: unknown }> | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined;
  return Object.fromEntries(Object.entries(answer).filter(([, snap]) => typeof snap === 'object' && snap !== null));
}

/**
 * Lists the snaps of a wallet that this page may use (`wallet_getSnaps`). Never opens a dialog.
 *
 * @returns undefined if the wallet does not host snaps or does not answer within 3 s.
 */
export async function getSnaps(wallet: Eip1193Provider): Promise<SnapWallet['snaps'] | undefined> {
  try {
    return parseSnaps(
      await within(
        PROBE_TIMEOUT,
        () => wallet.request({ method: 'wallet_getSnaps' }),
        () => undefined,
      ),
    );
  } catch {
    return undefined;
  }
}

/** Lower is better: wallets that have the snap come first, then MetaMask's builds, then the order of announcement. */
function rankOf({ info, snaps }: SnapWallet, snapId: string): number {
  const index = METAMASK.indexOf(info.rdns);
  const buildRank = index === -1 ? METAMASK.length : index;
  return snaps[snapId] === undefined ? METAMASK.length + 1 + buildRank : buildRank;
}

/**
 * Finds the wallets of the page that host snaps: discovered with EIP-6963, then probed with `wallet_getSnaps`. It opens
 * no dialog and waits up to 1 s for wallets that load after the page.
 *
 * @param snapId - The snap that is wanted. Wallets that already have it come first.
 * @returns At least one wallet, best first: with the snap, then MetaMask Flask, MetaMask, and others as they announce
 * themselves.
 * @throws {ProviderRpcError} 4900 if there is none, or if there is no page (`window`). The message says what to do.
 * @see https://eips.ethereum.org/EIPS/eip-6963
 * @example
 * import { findSnapWallets } from 'keystead/provider';
 *
 * const [best, ...others] = await findSnapWallets('npm:keystead');
 * console.log(best.info.name, others.length);
 */
export async function findSnapWallets(snapId: string): Promise<[SnapWallet, ...SnapWallet[]]> {
  const page = getPage();
  if (page === undefined) throw new ProviderRpcError(CODES.disconnected, NO_PAGE);
  // Keyed by provider, because two wallets may announce the same UUID.
  const probes = new Map<Eip1193Provider, Promise<SnapWallet | undefined>>();
  const probe = async (wallet: AnnouncedProvider): Promise<SnapWallet | undefined> => {
    const snaps = await getSnaps(wallet.provider);
    return snaps && { ...wallet, snaps };
  };
  let stop: (() => void) | undefined;
  const firstHost = new Promise<void>((resolve) => {
    stop = watchWallets(page, (wallet) => {
      if (probes.has(wallet.provider)) return;
      const probing = probe(wallet);
      probes.set(wallet.provider, probing);
      void probing.then((host) => {
        if (host !== undefined) resolve();
      });
    });
  });
  await within(
    ANNOUNCE_TIMEOUT,
    () => firstHost,
    () => undefined,
  );
  stop?.();
  const hosts = (await Promise.all(probes.values())).filter((host) => host !== undefined);
  const [best, ...others] = hosts.sort((a, b) => rankOf(a, snapId) - rankOf(b, snapId));
  if (best === undefined) throw new ProviderRpcError(CODES.disconnected, NO_WALLET);
  return [best, ...others];
}
