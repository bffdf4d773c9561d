import { type HostWallet } from './wallets';

/** The snap in a wallet, as a web page reaches it. */
export class SnapClient {
  readonly wallet: HostWallet;
  readonly snapId: string;

  constructor(wallet: HostWallet, snapId: string) {
    this.wallet = wallet;
    this.snapId = snapId;
  }

  /** Installs the snap, or connects this page to it. The wallet asks. */
  async connect(): Promise<void> {
    await this.wallet.request('wallet_requestSnaps', { [this.snapId]: {} });
  }

  /** @returns Whether the page is connected to the snap already; asks nobody. */
  async isConnected(): Promise<boolean> {
    return this.snapId in (await this.wallet.request<Record<string, unknown>>('wallet_getSnaps'));
  }

  /** A method of the keyring API. MetaMask lets pages through to those only. */
  keyring<T>(method: string, params?: unknown): Promise<T> {
    return this.#invoke('wallet_invokeKeyring', method, params);
  }

  /** A method of the dapp door: what any connected page may call, and the settings that this page may change. */
  dapp<T>(method: string, params?: unknown): Promise<T> {
    return this.#invoke('wallet_invokeSnap', method, params);
  }

  /**
   * Sees to it that this page may use an account: asks in the wallet if it may not yet.
   *
   * @throws If the person chose other accounts.
   */
  async useAccount(address: string): Promise<void> {
    const has = (accounts: readonly string[]): boolean =>
      accounts.some((each) => each.toLowerCase() === address.toLowerCase());
    const connected = await this.dapp<string[]>('eth_accounts');
    if (has(connected)) return;
    // The account is chosen already when the dialog opens.
    const caveats = [{ type: 'restrictReturnedAccounts', value: [address] }];
    await this.dapp('wallet_requestPermissions', [{ eth_accounts: { caveats } }]);
    if (!has(await this.dapp<string[]>('eth_accounts')))
      throw new Error(`This page may not use ${address}. Choose this account in the dialog.`);
  }

  /** Puts this page on a chain that is set up. */
  async useChain(chainId: `0x${string}`): Promise<void> {
    if ((await this.dapp('eth_chainId')) !== chainId) await this.dapp('wallet_switchEthereumChain', [{ chainId }]);
  }

  #invoke<T>(how: string, method: string, params: unknown): Promise<T> {
    const request = { method, ...(params !== undefined && { params }) };
    return this.wallet.request(how, { snapId: this.snapId, request });
  }
}
