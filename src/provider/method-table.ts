import { type Hex } from '../core/eth/bytes';
import {
  type Call,
  type Capabilities,
  type GasLimits,
  type Intent,
  type Permission,
  type TransactionParams,
  type TypedData,
  type UserOperation,
} from './methods';
import { CODES, ProviderRpcError } from './rpc-error';

/** The facts about the page that the provider knows without asking. */
export type Known = { readonly chainId: Hex; readonly accounts: readonly Hex[] };

/** The treatment of a method by the provider, whichever entry it comes through. */
export type Traits = {
  /** Whether the snap answers, or the node of the page's chain: one of the options, else the snap's. */
  readonly to: 'snap' | 'node';
  /** It may open a dialog, or changes the network that the next one is for, so it runs in turn. */
  readonly inTurn?: true;
  /** It may install the snap: methods that connect the page, and methods that add the network for that. */
  readonly installs?: true;
  /** It may change the accounts or the chain of the page. */
  readonly changesPage?: true;
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

/** The types of parameters and result. They exist for the compiler only. */
type Method<Params, Result> = Traits & { readonly types?: { readonly params: Params; readonly result: Result } };

const method = <Params = readonly unknown[] | object, Result = unknown>(traits: Traits): Method<Params, Result> =>
  traits;

const READ: Traits = { to: 'snap' };
const ASK: Traits = { to: 'snap', inTurn: true };
const CHANGE: Traits = { ...ASK, changesPage: true };
const CONNECT: Traits = { ...CHANGE, installs: true };
const NODE: Traits = { to: 'node' };
const NODE_ONLY: Traits = { ...NODE, needsNode: true };

/** The first of the accounts, as MetaMask answers `eth_coinbase`. */
const first = (accounts: unknown): unknown => (accounts as readonly unknown[])[0] ?? null;

/** Every method that the provider knows: its types, and how it is treated. Others are treated by their prefix. */
export const METHODS = {
  eth_requestAccounts: method<readonly [], readonly Hex[]>(CONNECT),
  eth_accounts: method<readonly [], readonly Hex[]>({ ...READ, known: ({ accounts }) => accounts }),
  eth_coinbase: method<readonly [], Hex | null>({
    ...READ,
    from: ['eth_accounts', first],
    known: ({ accounts }) => first(accounts),
  }),
  eth_chainId: method<readonly [], Hex>({ ...READ, known: ({ chainId }) => chainId }),
  net_version: method<readonly [], string>({ ...READ, known: ({ chainId }) => decimalOf(chainId) }),
  net_listening: method<readonly [], true>({ ...READ, unconnected: () => true }),
  wallet_switchEthereumChain: method<readonly [{ readonly chainId: Hex }], null>(CHANGE),
  wallet_addEthereumChain: method<
    readonly [
      {
        readonly chainId: Hex;
        readonly rpcUrls: readonly string[];
        readonly chainName?: string;
        readonly nativeCurrency?: { readonly name?: string; readonly symbol: string; readonly decimals: 18 };
        readonly blockExplorerUrls?: readonly string[] | null;
        readonly iconUrls?: readonly string[];
      },
    ],
    null
  >(CONNECT),
  wallet_watchAsset: method<
    {
      readonly type: 'ERC20';
      readonly options: {
        readonly address: Hex;
        readonly symbol?: string;
        readonly decimals?: number;
        readonly image?: string;
        readonly chainId?: number;
      };
    },
    true
  >(ASK),
  wallet_requestPermissions: method<readonly [{ readonly eth_accounts: object }], readonly Permission[]>(CONNECT),
  wallet_getPermissions: method<readonly [], readonly Permission[]>({ ...READ, unconnected: () => [] }),
  wallet_revokePermissions: method<readonly [{ readonly eth_accounts: object }], null>(CHANGE),
  personal_sign: method<readonly [message: Hex, address: Hex], Hex>(ASK),
  personal_ecRecover: method<readonly [message: Hex, signature: Hex], Hex>(READ),
  eth_signTypedData_v4: method<readonly [address: Hex, typedData: TypedData | string], Hex>(ASK),
  eth_signTransaction: method<readonly [TransactionParams], unknown>(ASK),
  eth_sendTransaction: method<readonly [TransactionParams], Hex>(ASK),
  eth_prepareUserOperation: method<
    readonly [Intent, ...Intent[]],
    {
      readonly callData: Hex;
      readonly initCode: Hex;
      readonly nonce: Hex;
      readonly gasLimits?: GasLimits;
      readonly dummySignature: Hex;
      readonly dummyPaymasterAndData: Hex;
    }
  >(READ),
  eth_patchUserOperation: method<readonly [UserOperation], { readonly paymasterAndData: Hex } & Partial<GasLimits>>(
    READ,
  ),
  eth_signUserOperation: method<readonly [UserOperation, entryPoint?: Hex], Hex>(ASK),
  eth_decodeUserOperationCallData: method<readonly [callData: Hex], readonly Intent[]>(READ),
  wallet_getCapabilities: method<
    readonly [address: Hex, chainIds?: readonly Hex[]],
    Readonly<Record<Hex, Capabilities>>
  >(READ),
  wallet_sendCalls: method<
    readonly [
      {
        readonly version: string;
        readonly id?: string;
        readonly from?: Hex;
        readonly chainId: Hex;
        readonly atomicRequired: boolean;
        readonly calls: readonly Call[];
        readonly capabilities?: Capabilities;
      },
    ],
    { readonly id: string; readonly capabilities?: Capabilities }
  >(ASK),
  wallet_getCallsStatus: method<
    readonly [id: string],
    {
      readonly version: string;
      readonly id: string;
      readonly chainId: Hex;
      readonly status: number;
      readonly atomic: boolean;
      readonly receipts?: readonly {
        readonly logs: readonly { readonly address: Hex; readonly data: Hex; readonly topics: readonly Hex[] }[];
        readonly status: Hex;
        readonly blockHash: Hex;
        readonly blockNumber: Hex;
        readonly gasUsed: Hex;
        readonly transactionHash: Hex;
      }[];
      readonly capabilities?: Capabilities;
    }
  >(READ),
  wallet_showCallsStatus: method<readonly [id: string], null>(ASK),
  keystead_getChains: method(READ),
  keystead_setChain: method(CONNECT),
  keystead_removeChain: method(CHANGE),
  eth_blockNumber: method<readonly [], Hex>(NODE),
  eth_getBalance: method<readonly [address: Hex, block?: string], Hex>(NODE),
  eth_getUncleByBlockHashAndIndex: method<readonly [blockHash: Hex, index: Hex], object | null>(NODE),
  eth_getUncleByBlockNumberAndIndex: method<readonly [block: string, index: Hex], object | null>(NODE),
  eth_getTransactionByHash: method({ ...NODE, mayBeOperation: true }),
  eth_getTransactionReceipt: method({ ...NODE, mayBeOperation: true }),
  eth_newFilter: method(NODE_ONLY),
  eth_newBlockFilter: method(NODE_ONLY),
  eth_newPendingTransactionFilter: method(NODE_ONLY),
  eth_getFilterChanges: method(NODE_ONLY),
  eth_getFilterLogs: method(NODE_ONLY),
  eth_uninstallFilter: method(NODE_ONLY),
  eth_subscribe: method(NODE_ONLY),
  eth_unsubscribe: method(NODE_ONLY),
};

type Table = typeof METHODS;

/**
 * The methods with typed parameters and results. Any other method can be called too, untyped.
 *
 * @example
 * import { type KeysteadMethods } from 'keystead/provider';
 *
 * type Status = KeysteadMethods['wallet_getCallsStatus']['result'];
 */
export type KeysteadMethods = {
  [M in keyof Table]: Table[M] extends Method<infer Params, infer Result> ? { params: Params; result: Result } : never;
};

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
  if (Object.hasOwn(METHODS, name)) return METHODS[name as keyof Table];
  return NODE_METHOD.test(name) ? NODE : ASK;
}

/**
 * @returns The refusal of a node, in the words and with the number by which libraries recognize it and poll instead.
 */
export const notOfNode = (name: string): ProviderRpcError =>
  new ProviderRpcError(CODES.methodNotFound, `the method ${name} does not exist/is not available`);
