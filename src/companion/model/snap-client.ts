import { type KeyringMethodName, type OwnMethods } from '../../core/methods/own';
import { type SiteMethods } from '../../core/methods/sites';
import { isLocked, isRemoved, LockedError, RemovedError } from './errors';
import { type SnapData } from './types';
import { type HostWallet } from './wallets';

/** The methods that the page calls through the RPC handler; as its own, where sites have one of that name too. */
type PageMethods = Omit<OwnMethods, KeyringMethodName> & Omit<SiteMethods, keyof OwnMethods>;
type Call = { readonly params: unknown; readonly result: unknown };
/** The parameters, which may be left out where none are needed. */
type Params<M extends Call> = undefined extends M['params']
  ? [params?: M['params']]
  : M['params'] extends readonly []
    ? [params?: M['params']]
    : [params: M['params']];

/** Calls the snap through the wallet that hosts it. */
export class SnapClient {
  readonly wallet: HostWallet;
  readonly snapId: string;
  /** Called when a request fails because the wallet is locked. */
  onLocked: (() => void) | undefined;
  /** Called when a request fails because the wallet is removing the snap, or has removed it. */
  onRemoved: (() => void) | undefined;

  constructor(wallet: HostWallet, snapId: string) {
    this.wallet = wallet;
    this.snapId = snapId;
  }

  /**
   * Installs the snap or connects this page to it. The wallet asks first.
   *
   * @throws {RemovedError} If the wallet is removing the snap.
   */
  async connect(): Promise<void> {
    try {
      await this.wallet.request('wallet_requestSnaps', { [this.snapId]: {} });
    } catch (error) {
      throw isRemoved(error) ? new RemovedError() : error;
    }
  }

  /** @returns Whether the page is already connected to the snap. Never opens a dialog. */
  async isConnected(): Promise<boolean> {
    return this.snapId in (await this.wallet.request<Record<string, unknown>>('wallet_getSnaps'));
  }

  /** @returns Whether the wallet is locked. Never opens a dialog. */
  async isLocked(): Promise<boolean> {
    try {
      await this.dapp('keystead_getTokens');
      return false;
    } catch (error) {
      return error instanceof LockedError;
    }
  }

  /** @returns Whether the wallet has the snap; `removing` while it removes it. Never opens a dialog. */
  async presence(): Promise<'there' | 'removing' | 'gone'> {
    if (!(await this.isConnected())) return 'gone';
    try {
      await this.dapp('keystead_getTokens');
      return 'there';
    } catch (error) {
      return error instanceof RemovedError ? 'removing' : 'there';
    }
  }

  /** Calls a method of the keyring API. MetaMask forwards only the methods that it allows web pages to call. */
  keyring<M extends KeyringMethodName>(
    method: M,
    ...[params]: Params<OwnMethods[M]>
  ): Promise<OwnMethods[M]['result']> {
    return this.#invoke('wallet_invokeKeyring', method, params);
  }

  /** Calls an RPC method: one open to any connected page, or one of the settings that only this page may change. */
  dapp<M extends keyof PageMethods>(method: M, ...[params]: Params<PageMethods[M]>): Promise<PageMethods[M]['result']> {
    return this.#invoke('wallet_invokeSnap', method, params);
  }

  /** @returns Whether this page is connected to an account. Never opens a dialog. */
  async mayUse(address: string): Promise<boolean> {
    const connected = await this.dapp('eth_accounts');
    return connected.some((each) => each.toLowerCase() === address.toLowerCase());
  }

  /**
   * Connects this page to an account. The wallet asks unless they are already connected.
   *
   * @param onAsk - Called before the wallet asks.
   * @throws If the person selected other accounts.
   */
  async useAccount(address: string, onAsk?: () => void): Promise<void> {
    if (await this.mayUse(address)) return;
    onAsk?.();
    // The dialog opens with this account selected.
    const caveats = [{ type: 'restrictReturnedAccounts', value: [address] }];
    await this.dapp('wallet_requestPermissions', [{ eth_accounts: { caveats } }]);
    if (!(await this.mayUse(address)))
      throw new Error(`This site is not connected to ${address}. Try again and select this account in the dialog.`);
  }

  /** Switches this page to a chain that the snap has. */
  async useChain(chainId: `0x${string}`): Promise<void> {
    if ((await this.dapp('eth_chainId')) !== chainId) await this.dapp('wallet_switchEthereumChain', [{ chainId }]);
  }

  /** @throws {LockedError} If the wallet is locked. @throws {RemovedError} If the wallet removes the snap. */
  async #invoke<T>(walletMethod: string, method: string, params: unknown): Promise<T> {
    const request = { method, ...(params !== undefined && { params }) };
    try {
      return await this.wallet.request<T>(walletMethod, { snapId: this.snapId, request });
    } catch (error) {
      if (isLocked(error)) {
        this.onLocked?.();
        throw new LockedError();
      }
      if (!isRemoved(error)) throw error;
      this.onRemoved?.();
      throw new RemovedError();
    }
  }
}

/** Reads everything that the page shows of the snap. */
export async function readSnapData(client: SnapClient): Promise<SnapData> {
  const [accounts, unannounced, chains, storage, tokens] = await Promise.all([
    client.keyring('keyring_listAccounts'),
    client.dapp('keystead_getUnannounced'),
    client.dapp('keystead_getChains'),
    client.dapp('keystead_getStorage'),
    client.dapp('keystead_getTokens'),
  ]);
  return { accounts, unannounced, chains, storage, tokens };
}
