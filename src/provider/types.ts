import { type Hex } from '../core/eth/bytes';
import { type MethodParams, type MethodResult } from './methods';
import { type ProviderRpcError } from './rpc-error';

/** A request (EIP-1193). */
export type RequestArguments = {
  readonly method: string;
  readonly params?: readonly unknown[] | object | undefined;
};

/** What every EIP-1193 provider has; a wallet that hosts snaps is one. */
export type Eip1193Provider = {
  request(args: RequestArguments): Promise<unknown>;
  on?(event: string, listener: (value: never) => void): unknown;
  removeListener?(event: string, listener: (value: never) => void): unknown;
};

/** What a listener of each event gets (EIP-1193). */
export type ProviderEvents = {
  /** The provider can reach a chain: the snap is there and has answered. */
  connect: { readonly chainId: Hex };
  /** The snap is no longer there for this page. */
  disconnect: ProviderRpcError;
  /** The chain of this page, a hex quantity. */
  chainChanged: Hex;
  /** The accounts of this page, in the order of `eth_accounts`. */
  accountsChanged: readonly Hex[];
  /** Passed on from a configured node, such as the news of an `eth_subscribe`. */
  message: { readonly type: string; readonly data: unknown };
};
export type ProviderEvent = keyof ProviderEvents;

/** The provider that a dapp, viem, wagmi or ethers drives (EIP-1193). */
export type KeysteadProvider = {
  /** @throws {ProviderRpcError} Always of this class, with a code. */
  request<const M extends string>(args: {
    readonly method: M;
    readonly params?: MethodParams<M>;
  }): Promise<MethodResult<M>>;
  on<E extends ProviderEvent>(event: E, listener: (value: ProviderEvents[E]) => void): KeysteadProvider;
  removeListener<E extends ProviderEvent>(event: E, listener: (value: ProviderEvents[E]) => void): KeysteadProvider;
};

/** Who a provider is (EIP-6963). */
export type ProviderInfo = {
  readonly uuid: string;
  readonly name: string;
  readonly icon: string;
  readonly rdns: string;
};

/** A provider that announced itself (EIP-6963). */
export type AnnouncedProvider = { readonly info: ProviderInfo; readonly provider: Eip1193Provider };
