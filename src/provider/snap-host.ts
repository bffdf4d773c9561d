import { CODES, ProviderRpcError, toProviderRpcError } from './rpc-error';
import { type Eip1193Provider, type RequestArguments } from './types';
import { getSnaps, parseSnaps } from './wallets';

/** A snap and its accepted versions. */
export type SnapSpec = {
  /** `npm:<package>`, or `local:<URL>` for development. */
  readonly id: string;
  /** A semver range; undefined accepts any version. */
  readonly version: string | undefined;
};

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
    const snap = parseSnaps(await this.#wallet.request({ method: 'wallet_requestSnaps', params }))?.[id];
    if (snap?.error !== undefined) throw toProviderRpcError(snap.error);
    if (snap === undefined || snap.blocked === true || snap.enabled === false)
      throw new ProviderRpcError(
        CODES.disconnected,
        snap?.enabled === false
          ? 'Keystead is disabled in the wallet. Enable it under Snaps in the wallet.'
          : `The wallet did not install ${id}.`,
      );
  }

  /** Sends a request to the snap (`wallet_invokeSnap`). */
  invoke(request: RequestArguments): Promise<unknown> {
    return this.#wallet.request({ method: 'wallet_invokeSnap', params: { snapId: this.#snap.id, request } });
  }
}
