import { CODES, ProviderRpcError, toProviderRpcError } from './rpc-error';
import { type Eip1193Provider, type RequestArguments } from './types';
import { getSnaps, parseSnaps } from './wallets';
import { within } from '../clients/within';

/** A snap and its accepted versions. */
export type SnapSpec = {
  /** `npm:<package>`, or `local:<URL>` for development. */
  readonly id: string;
  /** A semver range; undefined accepts any version. */
  readonly version: string | undefined;
};

/**
 * Milliseconds after which an answer counts as lost, so that it does not hold up the requests behind it: the longest
 * that the wallet lets the snap work (`maxRequestTime` in its manifest). Wallets lose requests when they restart.
 */
const MAX_WAIT = 180_000;

const DISABLED = "Keystead is disabled in the wallet: turn it on in the wallet's settings, under Snaps.";
const REMOVED =
  'Keystead was removed from the wallet, or this site was disconnected from it. Call eth_requestAccounts again.';

/** The snap in a wallet that hosts it, from the page's point of view. */
export class SnapHost {
  readonly #wallet: Eip1193Provider;
  readonly #snap: SnapSpec;

  constructor(wallet: Eip1193Provider, snap: SnapSpec) {
    this.#wallet = wallet;
    this.#snap = snap;
  }

  /** @returns Whether this page may use the snap now. Never opens a dialog. */
  async isAvailable(): Promise<boolean> {
    const snap = (await getSnaps(this.#wallet))?.[this.#snap.id];
    return snap !== undefined && snap.enabled !== false && snap.blocked !== true;
  }

  /** @returns Why this page can no longer use the snap; undefined if it can, or if the wallet does not say. */
  async reasonGone(): Promise<string | undefined> {
    const snaps = await getSnaps(this.#wallet);
    if (snaps === undefined) return undefined;
    const snap = snaps[this.#snap.id];
    if (snap?.enabled === false) return DISABLED;
    return snap === undefined || snap.blocked === true ? REMOVED : undefined;
  }

  /**
   * Makes the snap available to this page with `wallet_requestSnaps`: the wallet installs it, connects the page or
   * updates it to an accepted version, and asks the person where needed.
   *
   * @throws {ProviderRpcError} The wallet's error, such as 4001 if the person rejects; 4900 if the snap is blocked,
   * disabled or still missing afterwards.
   */
  async install(): Promise<void> {
    const { id, version } = this.#snap;
    // Wallets reinstall a local snap at every request, but a published one only if its version does not match.
    if (id.startsWith('local:') && (await this.isAvailable())) return;
    const params = { [id]: version === undefined ? {} : { version } };
    const snap = parseSnaps(await this.#ask({ method: 'wallet_requestSnaps', params }))?.[id];
    if (snap?.error !== undefined) throw toProviderRpcError(snap.error);
    if (snap === undefined || snap.blocked === true || snap.enabled === false)
      throw new ProviderRpcError(
        CODES.disconnected,
        snap?.enabled === false ? DISABLED : `The wallet did not install ${id}.`,
      );
  }

  /**
   * Sends a request to the snap (`wallet_invokeSnap`).
   *
   * @throws {ProviderRpcError} The snap's error; -32002 if no answer comes in time.
   */
  invoke(request: RequestArguments): Promise<unknown> {
    return this.#ask({ method: 'wallet_invokeSnap', params: { snapId: this.#snap.id, request } }, request.method);
  }

  #ask(request: RequestArguments, name = request.method): Promise<unknown> {
    return within(
      MAX_WAIT,
      () => this.#wallet.request(request),
      () => {
        throw new ProviderRpcError(
          CODES.noAnswer,
          `${name}: the wallet did not answer within ${MAX_WAIT / 1000} s. A dialog may still be open, and what is approved there is done. Check before you send it again.`,
        );
      },
    );
  }
}
