import { type Hex } from '../core/eth/bytes';
import { type Emitter } from './emitter';
import { type KeysteadOptions, snapWanted } from './options';
import { CODES, ProviderRpcError, toProviderRpcError } from './rpc-error';
import { SnapHost, type SnapWanted } from './snap-host';
import { type Eip1193Provider, type RequestArguments } from './types';
import { findSnapWallets } from './wallets';

const GONE = 'Keystead was removed from the wallet, or this page may no longer use it: call eth_requestAccounts again.';

/** What a wallet says of a snap that is not there, or not for this page. The snap may say it of other things. */
const MAY_MEAN_GONE: ReadonlySet<number> = new Set([CODES.unauthorized, CODES.invalidRequest, CODES.internal]);

/** A quantity as JSON-RPC writes it, not zero, of at most 64 bits (EIP-2294). */
const isChainId = (value: unknown): value is Hex =>
  typeof value === 'string' && /^0x[1-9a-f][0-9a-f]{0,15}$/u.test(value);

const isAccounts = (value: unknown): value is readonly Hex[] =>
  Array.isArray(value) && value.every((address) => typeof address === 'string' && /^0x[0-9a-f]{40}$/iu.test(address));

/** What the answers must be that this page is told about. A wallet may answer anything. */
const SHAPES: ReadonlyMap<string, readonly [is: (value: unknown) => boolean, what: string]> = new Map([
  ['eth_chainId', [isChainId, 'a chain id']],
  ['eth_accounts', [isAccounts, 'a list of addresses']],
  ['eth_requestAccounts', [isAccounts, 'a list of addresses']],
]);

const isSame = (a: readonly Hex[], b: readonly Hex[]): boolean =>
  a.length === b.length && a.every((address, index) => address === b[index]);

/** What this page knows of the snap: whether it is there, and the page's chain and accounts. Tells what changes. */
export class Session {
  readonly #events: Emitter;
  readonly #snap: SnapWanted;
  readonly #wallet: Eip1193Provider | undefined;
  readonly #choose: NonNullable<KeysteadOptions['chooseWallet']>;
  #host: SnapHost | undefined;
  /** Whether the snap has told a chain. */
  #isConnected = false;
  #accounts: readonly Hex[] | undefined;
  #chainId: Hex;

  /** @param chainId - The chain to tell until the snap is there. */
  constructor(options: KeysteadOptions, chainId: Hex, events: Emitter) {
    this.#snap = snapWanted(options);
    this.#wallet = options.wallet;
    this.#choose = options.chooseWallet ?? (([best]) => best);
    this.#chainId = chainId;
    this.#events = events;
  }

  get chainId(): Hex {
    return this.#chainId;
  }

  /** @returns Whether this page may use the snap already. Nobody is asked. */
  async reach(): Promise<boolean> {
    if (this.#host !== undefined) return true;
    for (const wallet of await this.#wallets()) {
      const host = new SnapHost(wallet, this.#snap);
      if (await host.isThere()) {
        await this.#use(host);
        return true;
      }
    }
    return false;
  }

  /** Installs the snap if it is not there; the wallet asks for consent. */
  async connect(): Promise<void> {
    const host = this.#host ?? new SnapHost(this.#wallet ?? (await this.#chosen()), this.#snap);
    await host.install();
    await this.#use(host);
    this.#accounts ??= [];
  }

  /**
   * Has the snap answer. Its answer about the chain or the accounts is taken note of.
   *
   * @throws {ProviderRpcError} What the snap refused with; 4900 if it is gone; -32603 if its answer about the chain or
   * the accounts is none, and is ignored.
   */
  async ask(request: RequestArguments): Promise<unknown> {
    if (this.#host === undefined) throw new ProviderRpcError(CODES.disconnected, GONE);
    const { method } = request;
    const result = await this.#invoke(this.#host, request);
    const [is, what] = SHAPES.get(method) ?? [];
    if (is?.(result) === false)
      throw new ProviderRpcError(CODES.internal, `${method}: the wallet did not answer with ${what}. It was ignored.`);
    if (method === 'eth_chainId') this.#noteChain(result as Hex);
    if (method === 'eth_accounts') this.#noteAccounts(result as readonly Hex[]);
    return result;
  }

  /** Learns the chain and the accounts anew, if the snap is there. */
  async refresh(): Promise<void> {
    await this.#learn('eth_chainId');
    await this.#learn('eth_accounts');
  }

  /** A failure changes nothing: the next request meets it. A snap without a chain has accounts all the same. */
  async #learn(method: string): Promise<void> {
    if (this.#host !== undefined) await this.ask({ method }).catch(() => undefined);
  }

  async #wallets(): Promise<Eip1193Provider[]> {
    if (this.#wallet !== undefined) return [this.#wallet];
    try {
      return (await findSnapWallets(this.#snap.id)).map(({ provider }) => provider);
    } catch {
      // That there is no wallet is told to who connects; who only looks finds nothing.
      return [];
    }
  }

  async #chosen(): Promise<Eip1193Provider> {
    const { provider } = await this.#choose(await findSnapWallets(this.#snap.id));
    return provider;
  }

  async #use(host: SnapHost): Promise<void> {
    this.#host = host;
    await this.#learn('eth_chainId');
  }

  async #invoke(host: SnapHost, request: RequestArguments): Promise<unknown> {
    try {
      return await host.invoke(request);
    } catch (reason) {
      const error = toProviderRpcError(reason);
      if (!MAY_MEAN_GONE.has(error.code) || (await host.isThere())) throw error;
      throw this.#lost(host);
    }
  }

  #lost(host: SnapHost): ProviderRpcError {
    const gone = new ProviderRpcError(CODES.disconnected, GONE);
    if (host !== this.#host) return gone;
    this.#host = undefined;
    if (this.#accounts !== undefined) this.#noteAccounts([]);
    if (this.#isConnected) this.#events.emit('disconnect', gone);
    this.#isConnected = false;
    return gone;
  }

  #noteChain(now: Hex): void {
    const before = this.#chainId;
    this.#chainId = now;
    if (!this.#isConnected) this.#events.emit('connect', { chainId: now });
    this.#isConnected = true;
    if (now !== before) this.#events.emit('chainChanged', now);
  }

  #noteAccounts(now: readonly Hex[]): void {
    const before = this.#accounts;
    this.#accounts = now;
    if (before !== undefined && !isSame(before, now)) this.#events.emit('accountsChanged', now);
  }
}
