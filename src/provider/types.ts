import { type Hex } from '../core/eth/bytes';
import { type MethodParams, type MethodResult } from './method-table';
import { type ProviderRpcError } from './rpc-error';

/**
 * A request of {@link Eip1193Provider.request}: a method and its parameters.
 *
 * @see https://eips.ethereum.org/EIPS/eip-1193
 * @example
 * import { type RequestArguments } from 'keystead/provider';
 *
 * const request: RequestArguments = { method: 'eth_getLogs', params: [{ fromBlock: 'latest' }] };
 */
export type RequestArguments = {
  readonly method: string;
  readonly params?: readonly unknown[] | object | undefined;
};

/**
 * The part of an EIP-1193 provider that Keystead needs from a wallet or a node. Only `request` is required.
 *
 * @see https://eips.ethereum.org/EIPS/eip-1193
 * @example
 * import { type Eip1193Provider } from 'keystead/provider';
 *
 * const node: Eip1193Provider = {
 *   request: async ({ method, params }) => {
 *     const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
 *     const response = await fetch('https://node.example', { method: 'POST', body });
 *     const { result } = await response.json();
 *     return result;
 *   },
 * };
 */
export type Eip1193Provider = {
  /** Sends a request. Rejects with an error that has a numeric `code`. */
  request(args: RequestArguments): Promise<unknown>;
  /** Adds a listener of an event. */
  on?(event: string, listener: (value: never) => void): unknown;
  /** Removes a listener. */
  removeListener?(event: string, listener: (value: never) => void): unknown;
};

/**
 * The events of a provider (EIP-1193), and the value that their listeners receive.
 *
 * The snap cannot notify a page. The provider therefore detects changes with its own requests, and when the page gets
 * the focus while it has listeners.
 *
 * @see https://eips.ethereum.org/EIPS/eip-1193
 * @example
 * import { createKeysteadProvider, type ProviderEvents } from 'keystead/provider';
 *
 * const onAccounts = (accounts: ProviderEvents['accountsChanged']): void => console.log(accounts[0]);
 * const provider = createKeysteadProvider().on('accountsChanged', onAccounts);
 * provider.removeListener('accountsChanged', onAccounts);
 */
export type ProviderEvents = {
  /** The snap is available and has returned a chain id (hex). */
  connect: { readonly chainId: Hex };
  /** The snap is no longer available to this page. */
  disconnect: ProviderRpcError;
  /** The new chain id of this page, as a hex quantity. */
  chainChanged: Hex;
  /** The new accounts of this page, in the order of `eth_accounts`. */
  accountsChanged: readonly Hex[];
  /** A message forwarded from a configured node, such as a notification of `eth_subscribe`. */
  message: { readonly type: string; readonly data: unknown };
  /** @deprecated As `chainChanged`, but in decimal. */
  networkChanged: string;
  /** @deprecated As `disconnect`. */
  close: ProviderRpcError;
  /** @deprecated The `data` of `message`. */
  notification: unknown;
};
/**
 * The name of an event.
 *
 * @example
 * import { type ProviderEvent } from 'keystead/provider';
 *
 * const event: ProviderEvent = 'chainChanged';
 */
export type ProviderEvent = keyof ProviderEvents;

/**
 * A JSON-RPC 2.0 request, as the legacy `send` and `sendAsync` take it.
 *
 * @see https://www.jsonrpc.org/specification
 * @example
 * import { type JsonRpcRequest } from 'keystead/provider';
 *
 * const request: JsonRpcRequest = { id: 1, jsonrpc: '2.0', method: 'eth_accounts', params: [] };
 */
export type JsonRpcRequest = RequestArguments & { readonly id?: number | string | null; readonly jsonrpc?: string };

/**
 * A JSON-RPC 2.0 response, as the legacy `send` and `sendAsync` give it: with a result or an error.
 *
 * @see https://www.jsonrpc.org/specification
 * @example
 * import { type JsonRpcResponse } from 'keystead/provider';
 *
 * const accountsOf = ({ result }: JsonRpcResponse): unknown => result;
 */
export type JsonRpcResponse = {
  readonly id: number | string | null;
  readonly jsonrpc: '2.0';
  readonly result?: unknown;
  readonly error?: ProviderRpcError;
};

/**
 * An EIP-1193 provider with typed methods and events, for use directly or through viem, wagmi or ethers. Create one
 * with {@link createKeysteadProvider}.
 *
 * @see https://eips.ethereum.org/EIPS/eip-1193
 * @example
 * import { createWalletClient, custom } from 'viem';
 * import { mainnet } from 'viem/chains';
 * import { createKeysteadProvider, type KeysteadProvider } from 'keystead/provider';
 *
 * const provider: KeysteadProvider = createKeysteadProvider();
 * const client = createWalletClient({ chain: mainnet, transport: custom(provider) });
 */
export type KeysteadProvider = {
  /**
   * Calls a method of the snap or of a node.
   *
   * @param args - The method and its parameters, which must be JSON at most 128 levels deep.
   * @returns The method's result, typed for the methods of {@link KeysteadMethods}.
   * @throws {ProviderRpcError} Every failure is of this class and has a code.
   */
  request<const M extends string>(args: {
    readonly method: M;
    readonly params?: MethodParams<M>;
  }): Promise<MethodResult<M>>;
  /** Adds a listener for an event. @returns This provider. */
  on<E extends ProviderEvent>(event: E, listener: (value: ProviderEvents[E]) => void): KeysteadProvider;
  /** Adds a listener that is called once. @returns This provider. */
  once<E extends ProviderEvent>(event: E, listener: (value: ProviderEvents[E]) => void): KeysteadProvider;
  /** The same as `on`. */
  addListener<E extends ProviderEvent>(event: E, listener: (value: ProviderEvents[E]) => void): KeysteadProvider;
  /** Removes a listener. @returns This provider. */
  removeListener<E extends ProviderEvent>(event: E, listener: (value: ProviderEvents[E]) => void): KeysteadProvider;
  /** The same as `removeListener`. */
  off<E extends ProviderEvent>(event: E, listener: (value: ProviderEvents[E]) => void): KeysteadProvider;
  /** Removes every listener of an event, or of all events. @returns This provider. */
  removeAllListeners(event?: ProviderEvent): KeysteadProvider;
  /** @returns How many listeners an event has. */
  listenerCount(event: ProviderEvent): number;
  /** @returns Whether the snap is available to this page and has a network, as far as the provider knows. */
  isConnected(): boolean;
  /** Tells Keystead's provider from others. */
  readonly isKeystead: true;
  /** Set by the option of the same name. */
  readonly isMetaMask?: true;
  /** The chain id of this page (hex). Until the snap is available, the one of the options. */
  readonly chainId: Hex;
  /** @deprecated The chain id in decimal. */
  readonly networkVersion: string;
  /** @deprecated The first account, or null while the provider knows none. Use `eth_accounts`. */
  readonly selectedAddress: Hex | null;
  /** @deprecated Use `eth_requestAccounts`. */
  enable(): Promise<readonly Hex[]>;
  /** @deprecated Use `request`. Resolves with a response; a failure rejects. */
  send(method: string, params?: RequestArguments['params']): Promise<JsonRpcResponse>;
  /** @deprecated Use `request`. The same as `sendAsync`. */
  send(
    request: JsonRpcRequest,
    callback: (error: ProviderRpcError | null, response: JsonRpcResponse) => void,
  ): undefined;
  /**
   * @deprecated Use `request`. Answers at once, which is possible only for `eth_accounts`, `eth_chainId`,
   * `eth_coinbase` and `net_version`.
   * @throws {ProviderRpcError} 4200 for any other method.
   */
  send(request: JsonRpcRequest): JsonRpcResponse;
  /** @deprecated Use `request`. Calls back with the response, and with its error or null. */
  sendAsync(
    request: JsonRpcRequest,
    callback: (error: ProviderRpcError | null, response: JsonRpcResponse) => void,
  ): void;
  /** @deprecated Use `request`. A batch has no error of its own: each response has one. */
  sendAsync(
    batch: readonly JsonRpcRequest[],
    callback: (error: null, responses: readonly JsonRpcResponse[]) => void,
  ): void;
  /** @deprecated Use `request`. Without a callback, it returns a promise of the response. */
  sendAsync(request: JsonRpcRequest): Promise<JsonRpcResponse>;
  /** @deprecated Use `request`. Without a callback, it returns a promise of the responses. */
  sendAsync(batch: readonly JsonRpcRequest[]): Promise<readonly JsonRpcResponse[]>;
};

/**
 * The details that a provider announces itself with (EIP-6963).
 *
 * @see https://eips.ethereum.org/EIPS/eip-6963
 * @example
 * import { type ProviderInfo } from 'keystead/provider';
 *
 * const labelOf = ({ name, rdns }: ProviderInfo): string => `${name} (${rdns})`;
 */
export type ProviderInfo = {
  /** Unique to this announcement (UUID version 4). */
  readonly uuid: string;
  readonly name: string;
  /** A square image as a data URL. */
  readonly icon: string;
  /** A reverse domain name, such as `io.metamask`. */
  readonly rdns: string;
};

/**
 * A provider and the details that it announced itself with (EIP-6963).
 *
 * @see https://eips.ethereum.org/EIPS/eip-6963
 * @example
 * import { type AnnouncedProvider } from 'keystead/provider';
 *
 * addEventListener('eip6963:announceProvider', (event) => {
 *   const { info, provider } = (event as CustomEvent<AnnouncedProvider>).detail;
 *   console.log(info.name, provider);
 * });
 * dispatchEvent(new Event('eip6963:requestProvider'));
 */
export type AnnouncedProvider = { readonly info: ProviderInfo; readonly provider: Eip1193Provider };
