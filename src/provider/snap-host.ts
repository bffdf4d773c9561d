import { CODES, ProviderRpcError, toProviderRpcError } from './rpc-error';
import { type Eip1193Provider, type RequestArguments } from './types';
import { snapsIn, snapsOf } from './wallets';

/** Which snap, and which versions of it. */
export type SnapWanted = {
  /** `npm:` and the package, or `local:` and where it is served for development. */
  readonly id: string;
  /** A semver range; undefined takes any version. */
  readonly version: string | undefined;
};

/** The snap in a wallet, as a page sees it. */
export class SnapHost {
  readonly #wallet: Eip1193Provider;
  readonly #snap: SnapWanted;

  constructor(wallet: Eip1193Provider, snap: SnapWanted) {
    this.#wallet = wallet;
    this.#snap = snap;
  }

  /** @returns Whether this page may use the snap now. Nobody is asked. */
  async isThere(): Promise<boolean> {
    const snap = (await snapsOf(this.#wallet))?.[this.#snap.id];
    return snap !== undefined && snap.enabled !== false && snap.blocked !== true;
  }

  /**
   * Installs the snap, or lets this page use it, or updates it to the wanted versions (`wallet_requestSnaps`). The
   * wallet asks the person for what is not so yet.
   *
   * @throws {ProviderRpcError} What the wallet refused with: 4001 for the person's no.
   */
  async install(): Promise<void> {
    const { id, version } = this.#snap;
    // A wallet installs a local snap anew whenever it is asked; one of the registry only if the version does not fit.
    if (id.startsWith('local:') && (await this.isThere())) return;
    const params = { [id]: version === undefined ? {} : { version } };
    const snap = snapsIn(await this.#wallet.request({ method: 'wallet_requestSnaps', params }))?.[id];
    if (snap?.error !== undefined) throw toProviderRpcError(snap.error);
    if (snap === undefined || snap.blocked === true || snap.enabled === false)
      throw new ProviderRpcError(
        CODES.disconnected,
        snap?.enabled === false
          ? 'Keystead is switched off in the wallet: switch it on in the settings of its snaps.'
          : `The wallet did not install ${id}.`,
      );
  }

  /** Has the snap answer a request (`wallet_invokeSnap`). */
  invoke(request: RequestArguments): Promise<unknown> {
    return this.#wallet.request({ method: 'wallet_invokeSnap', params: { snapId: this.#snap.id, request } });
  }
}
