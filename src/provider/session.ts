import { type Hex } from '../core/eth/bytes';
import { type Emitter } from './emitter';
import { type KeysteadOptions, snapSpecOf } from './options';
import { decimalOf } from './method-table';
import { CODES, ProviderRpcError, toProviderRpcError } from './rpc-error';
import { SnapHost, type SnapSpec } from './snap-host';
import { type Eip1193Provider, type RequestArguments } from './types';
import { findSnapWallets } from './wallets';

const NOT_AVAILABLE = 'Keystead is no longer available to this site. Call eth_requestAccounts again.';

/** The codes of wallets for a snap that is missing or not connected. The snap uses them for other errors too. */
const MAY_MEAN_REMOVED: ReadonlySet<number> = new Set([CODES.unauthorized, CODES.invalidRequest, CODES.internal]);

/** A nonzero JSON-RPC quantity of at most 64 bits (EIP-2294). */
const isChainId = (value: unknown): value is Hex =>
  typeof value === 'string' && /^0x[1-9a-f][0-9a-f]{0,15}$/u.test(value);

const isAccounts = (value: unknown): value is readonly Hex[] =>
  Array.isArray(value) && value.every((address) => typeof address === 'string' && /^0x[0-9a-f]{40}$/iu.test(address));

/** Checks of the results that this class keeps and reports in events. A wallet's answer is not trusted. */
const RESULT_CHECKS: ReadonlyMap<string, readonly [isValid: (value: unknown) => boolean, description: string]> =
  new Map([
    ['eth_chainId', [isChainId, 'a chain id']],
    ['eth_accounts', [isAccounts, 'a list of addresses']],
    ['eth_requestAccounts', [isAccounts, 'a list of addresses']],
  ]);

const isSame = (a: readonly Hex[], b: readonly Hex[]): boolean =>
  a.length === b.length && a.every((address, index) => address === b[index]);

/** Tracks whether the snap is available and which chain and accounts this page has, and emits the changes as events. */
export class Session {
  readonly #events: Emitter;
  readonly #snap: SnapSpec;
  readonly #wallet: Eip1193Provider | undefined;
  readonly #choose: NonNullable<KeysteadOptions['chooseWallet']>;
  #host: SnapHost | undefined;
  #isConnected = false;
  #accounts: readonly Hex[] | undefined;
  #chainId: Hex;

  /** @param chainId - The chain id to report until the snap is available. */
  constructor(options: KeysteadOptions, chainId: Hex, events: Emitter) {
    this.#snap = snapSpecOf(options);
    this.#wallet = options.wallet;
    this.#choose = options.chooseWallet ?? (([best]) => best);
    this.#chainId = chainId;
    this.#events = events;
  }

  get chainId(): Hex {
    return this.#chainId;
  }

  /** The accounts of this page as last reported; empty before. */
  get accounts(): readonly Hex[] {
    return this.#accounts ?? [];
  }

  /** Whether the snap is available and has returned a chain id. */
  get isConnected(): boolean {
    return this.#isConnected;
  }

  /** Attaches to the snap if this page may already use it. Never opens a dialog. @returns Whether it did. */
  async attach(): Promise<boolean> {
    if (this.#host !== undefined) return true;
    for (const wallet of await this.#wallets()) {
      const host = new SnapHost(wallet, this.#snap);
      if (await host.isAvailable()) {
        await this.#setHost(host);
        return true;
      }
    }
    return false;
  }

  /** Installs the snap if needed; the wallet asks for consent. */
  async connect(): Promise<void> {
    const host = this.#host ?? new SnapHost(this.#wallet ?? (await this.#chooseHost()), this.#snap);
    await host.install();
    await this.#setHost(host);
    this.#accounts ??= [];
  }

  /**
   * Sends a request to the snap, and keeps the chain id or the accounts that it returns.
   *
   * @throws {ProviderRpcError} The snap's error; 4900 if the snap is no longer available; -32603 if it returns an
   * invalid chain id or invalid accounts, which are ignored.
   */
  async request(request: RequestArguments): Promise<unknown> {
    if (this.#host === undefined) throw new ProviderRpcError(CODES.disconnected, NOT_AVAILABLE);
    const { method } = request;
    const result = await this.#invoke(this.#host, request);
    const [isValid, description] = RESULT_CHECKS.get(method) ?? [];
    if (isValid?.(result) === false)
      throw new ProviderRpcError(
        CODES.internal,
        `${method}: the wallet must return ${description}. Its answer was ignored.`,
      );
    if (method === 'eth_chainId') this.#setChain(result as Hex);
    if (method === 'eth_accounts') this.#setAccounts(result as readonly Hex[]);
    return result;
  }

  /** Reads the chain and the accounts again, if the snap is available. */
  async refresh(): Promise<void> {
    await this.#update('eth_chainId');
    await this.#update('eth_accounts');
  }

  /** Ignores failures: the next request reports them, and a snap without a chain can still have accounts. */
  async #update(method: string): Promise<void> {
    if (this.#host !== undefined) await this.request({ method }).catch(() => undefined);
  }

  async #wallets(): Promise<Eip1193Provider[]> {
    if (this.#wallet !== undefined) return [this.#wallet];
    try {
      return (await findSnapWallets(this.#snap.id)).map(({ provider }) => provider);
    } catch {
      // A missing wallet is an error only when connecting.
      return [];
    }
  }

  async #chooseHost(): Promise<Eip1193Provider> {
    const { provider } = await this.#choose(await findSnapWallets(this.#snap.id));
    return provider;
  }

  async #setHost(host: SnapHost): Promise<void> {
    this.#host = host;
    await this.#update('eth_chainId');
  }

  async #invoke(host: SnapHost, request: RequestArguments): Promise<unknown> {
    try {
      return await host.invoke(request);
    } catch (thrown) {
      const error = toProviderRpcError(thrown);
      const reason = MAY_MEAN_REMOVED.has(error.code) ? await host.reasonGone() : undefined;
      throw reason === undefined ? error : this.#dropHost(host, reason);
    }
  }

  #dropHost(host: SnapHost, reason: string): ProviderRpcError {
    const error = new ProviderRpcError(CODES.disconnected, reason);
    if (host !== this.#host) return error;
    this.#host = undefined;
    if (this.#accounts !== undefined) this.#setAccounts([]);
    const wasConnected = this.#isConnected;
    this.#isConnected = false;
    if (wasConnected) {
      this.#events.emit('disconnect', error);
      this.#events.emit('close', error);
    }
    return error;
  }

  #setChain(chainId: Hex): void {
    const before = this.#chainId;
    this.#chainId = chainId;
    const wasConnected = this.#isConnected;
    this.#isConnected = true;
    if (!wasConnected) this.#events.emit('connect', { chainId });
    if (chainId === before) return;
    this.#events.emit('chainChanged', chainId);
    this.#events.emit('networkChanged', decimalOf(chainId));
  }

  #setAccounts(accounts: readonly Hex[]): void {
    const before = this.#accounts;
    this.#accounts = accounts;
    if (before !== undefined && !isSame(before, accounts)) this.#events.emit('accountsChanged', accounts);
  }
}
