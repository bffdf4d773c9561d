import { type Hex } from '../core/eth/bytes';
import { isSiteMethod, SITE_METHODS, type SiteMethodName, type SiteMethods } from '../core/methods/sites';
import { CODES, ProviderRpcError } from './rpc-error';

/** The facts about the page that the provider knows without asking. */
export type Known = { readonly chainId: Hex; readonly accounts: readonly Hex[] };

/** How the provider treats a method, whichever entry it comes through. */
export type Traits = {
  /** Whether the snap answers, or the node of the page's chain: one of the options, else the snap's. */
  readonly to: 'snap' | 'node';
  /** It may open a dialog, so it runs in turn. */
  readonly asks?: true;
  /** It may install the snap: methods that connect the page, and methods that add the network for that. */
  readonly connects?: true;
  /** It may change the accounts or the chain of the page, which the next one is for, so it runs in turn. */
  readonly changesSite?: true;
  /** The answer before the page is connected, without any network, and through a `send` that returns at once. */
  readonly known?: (known: Known) => unknown;
  /** The answer before the page is connected. */
  readonly unconnected?: () => unknown;
  /** It is answered from the result of another method. */
  readonly from?: readonly [method: string, read: (result: unknown) => unknown];
  /**
   * Only a node of the options can answer it. Without one it is refused in the words of nodes, which tell libraries to
   * poll.
   */
  readonly needsNode?: true;
  /** A hash that the node does not know may be the one of a user operation, which only the snap knows. */
  readonly mayBeOperation?: true;
};

const NODE: Traits = { to: 'node' };
const NODE_ONLY: Traits = { ...NODE, needsNode: true };
const OF_TRANSACTION: Traits = { ...NODE, mayBeOperation: true };

/** The first of the accounts, as MetaMask answers `eth_coinbase`. */
const first = (accounts: unknown): unknown => (accounts as readonly unknown[])[0] ?? null;

/** What the provider knows of methods before the page is connected. */
const BEFORE: Readonly<Partial<Record<SiteMethodName, Pick<Traits, 'known' | 'unconnected'>>>> = {
  eth_accounts: { known: ({ accounts }) => accounts },
  eth_chainId: { known: ({ chainId }) => chainId },
  net_version: { known: ({ chainId }) => decimalOf(chainId) },
  net_listening: { unconnected: () => true },
  wallet_getPermissions: { unconnected: () => [] },
};

/** The methods that the snap does not answer itself, and that other methods of nodes are not treated like. */
export const FURTHER_METHODS = {
  eth_coinbase: { to: 'snap', from: ['eth_accounts', first], known: ({ accounts }) => first(accounts) },
  eth_getTransactionByHash: OF_TRANSACTION,
  eth_getTransactionReceipt: OF_TRANSACTION,
  eth_newFilter: NODE_ONLY,
  eth_newBlockFilter: NODE_ONLY,
  eth_newPendingTransactionFilter: NODE_ONLY,
  eth_getFilterChanges: NODE_ONLY,
  eth_getFilterLogs: NODE_ONLY,
  eth_uninstallFilter: NODE_ONLY,
  eth_subscribe: NODE_ONLY,
  eth_unsubscribe: NODE_ONLY,
} as const satisfies Readonly<Record<string, Traits>>;

/** The types of methods that nodes answer, and of those that the provider answers itself. */
type FurtherMethods = {
  eth_coinbase: { params: readonly []; result: Hex | null };
  eth_blockNumber: { params: readonly []; result: Hex };
  eth_getBalance: { params: readonly [address: Hex, block?: string]; result: Hex };
  eth_getUncleByBlockHashAndIndex: { params: readonly [blockHash: Hex, index: Hex]; result: object | null };
  eth_getUncleByBlockNumberAndIndex: { params: readonly [block: string, index: Hex]; result: object | null };
};

/**
 * The methods with typed parameters and results. Any other method can be called too, untyped.
 *
 * @example
 * import { type KeysteadMethods } from 'keystead/provider';
 *
 * type Status = KeysteadMethods['wallet_getCallsStatus']['result'];
 */
export type KeysteadMethods = SiteMethods & FurtherMethods;

/**
 * The parameters of a method. For a method that is not in {@link KeysteadMethods}: any list or object.
 *
 * @example
 * import { type MethodParams } from 'keystead/provider';
 *
 * const params: MethodParams<'eth_getBalance'> = ['0x19d9fbD1eAc05da79914F7e0525D1C5B2EDc6c25', 'latest'];
 */
export type MethodParams<M extends string> = M extends keyof KeysteadMethods
  ? KeysteadMethods[M]['params']
  : readonly unknown[] | object;

/**
 * The result of a method. For a method that is not in {@link KeysteadMethods}: `unknown`.
 *
 * @example
 * import { type MethodResult } from 'keystead/provider';
 *
 * type ChainId = MethodResult<'eth_chainId'>; // `0x${string}`
 */
export type MethodResult<M extends string> = M extends keyof KeysteadMethods ? KeysteadMethods[M]['result'] : unknown;

/** @returns A chain id in decimal, as `net_version` answers it. */
export function decimalOf(chainId: Hex): string {
  return BigInt(chainId).toString();
}

/** Methods of the wallet that hosts the snap, and of its keyring, which pages cannot call. */
const HOST_METHOD = /^(?:keyring_|snap_|wallet_(?:snap|getSnaps|requestSnaps|invokeSnap|invokeKeyring)$)/u;
/** Methods of nodes. `eth_sign…` concerns an account. */
const NODE_METHOD = /^(?:eth_(?!sign)|net_|web3_|debug_|trace_)/u;

/**
 * @returns How to treat a method.
 * @throws {ProviderRpcError} 4200 for a method of the host wallet, which has its own provider.
 */
export function traitsOf(name: string): Traits {
  if (HOST_METHOD.test(name))
    throw new ProviderRpcError(
      CODES.unsupportedMethod,
      `${name}: not a method of Keystead. Call it on the provider of the wallet.`,
    );
  if (isSiteMethod(name)) return { to: 'snap', ...SITE_METHODS[name], ...BEFORE[name] };
  if (Object.hasOwn(FURTHER_METHODS, name)) return FURTHER_METHODS[name as keyof typeof FURTHER_METHODS];
  return NODE_METHOD.test(name) ? NODE : { to: 'snap', asks: true };
}

/**
 * @returns The refusal of a node, in the words and with the number by which libraries recognize it and poll instead.
 */
export const notOfNode = (name: string): ProviderRpcError =>
  new ProviderRpcError(CODES.methodNotFound, `the method ${name} does not exist/is not available`);
