import { type Hex } from '../eth/bytes';
import {
  type Call,
  type Capabilities,
  type ChainSettings,
  type GasLimits,
  type Intent,
  type Permission,
  type TransactionParams,
  type TypedData,
  type UserOperation,
} from './types';

/** How a method of sites is called, the same for the snap that answers it and for the provider in the page. */
type Traits = {
  /** It may ask the person, so requests of a site run in turn. */
  readonly asks?: true;
  /** It connects the site, or adds the network for that: the provider installs the snap for it. */
  readonly connects?: true;
  /** The accounts or the network of the site may be others afterwards. */
  readonly changesSite?: true;
  /** While the wallet is locked, it answers as if the site were not connected, or asks to unlock. Others refuse. */
  readonly locked?: 'empty' | 'unlock';
};

/** The types of parameters and result. They exist for the compiler only. */
type Method<Params, Result> = Traits & { readonly types?: { readonly params: Params; readonly result: Result } };

/** A method that any web page may call. */
type Open<Params, Result> = Method<Params, Result> & { readonly isOpen: true };
const open = <Params, Result>(traits: Traits): Open<Params, Result> => ({ ...traits, isOpen: true });

/** A method for connected sites. */
type Closed<Params, Result> = Method<Params, Result> & { readonly isOpen?: never };
const closed = <Params, Result>(traits: Traits): Closed<Params, Result> => traits;

const READ: Traits = {};
const ASK: Traits = { asks: true };
const CHANGE: Traits = { changesSite: true };
const CONNECT: Traits = { ...ASK, ...CHANGE, connects: true };

/**
 * Every method that a site can call and the snap answers itself. The snap's handlers, the provider, the provider for
 * tests and the reference are made from it. Beside it, {@link SITE_READS} are forwarded to a node.
 */
export const SITE_METHODS = {
  eth_requestAccounts: open<readonly [], readonly Hex[]>({ ...CONNECT, locked: 'unlock' }),
  eth_accounts: open<readonly [], readonly Hex[]>({ locked: 'empty' }),
  eth_chainId: open<readonly [], Hex>(READ),
  net_version: open<readonly [], string>(READ),
  net_listening: open<readonly [], true>(READ),
  wallet_switchEthereumChain: closed<readonly [{ readonly chainId: Hex }], null>(CHANGE),
  wallet_addEthereumChain: open<
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
  wallet_watchAsset: closed<
    {
      readonly type: 'ERC20';
      readonly options: {
        readonly address: Hex;
        readonly symbol?: string;
        /** EIP-747 has a number, but MetaMask takes text too, so sites send what is in their form. */
        readonly decimals?: number | string;
        readonly image?: string;
        readonly chainId?: number;
      };
    },
    true
  >(ASK),
  wallet_getPermissions: open<readonly [], readonly Permission[]>({ locked: 'empty' }),
  wallet_requestPermissions: open<readonly [{ readonly eth_accounts: object }], readonly Permission[]>({
    ...CONNECT,
    locked: 'unlock',
  }),
  wallet_revokePermissions: open<readonly [{ readonly eth_accounts: object }], null>(CHANGE),
  personal_sign: closed<readonly [message: Hex, address: Hex], Hex>(ASK),
  personal_ecRecover: open<readonly [message: Hex, signature: Hex], Hex>(READ),
  eth_signTypedData_v4: closed<readonly [address: Hex, typedData: TypedData | string], Hex>(ASK),
  eth_signTransaction: closed<readonly [TransactionParams], { readonly v: Hex; readonly r: Hex; readonly s: Hex }>(ASK),
  eth_signUserOperation: closed<readonly [UserOperation, entryPoint?: Hex], Hex>(ASK),
  eth_prepareUserOperation: closed<
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
  eth_patchUserOperation: closed<readonly [UserOperation], { readonly paymasterAndData: Hex } & Partial<GasLimits>>(
    READ,
  ),
  eth_decodeUserOperationCallData: closed<readonly [callData: Hex], readonly Intent[]>(READ),
  eth_sendTransaction: closed<readonly [TransactionParams], Hex>(ASK),
  wallet_getCapabilities: closed<
    readonly [address: Hex, chainIds?: readonly Hex[]],
    Readonly<Record<Hex, Capabilities>>
  >(READ),
  wallet_sendCalls: closed<
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
  wallet_getCallsStatus: closed<
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
  wallet_showCallsStatus: closed<readonly [id: string], null>(ASK),
  keystead_setChain: open<ChainSettings, ChainSettings>(CONNECT),
  keystead_getChains: closed<
    readonly [],
    readonly (Pick<ChainSettings, 'chainId' | 'entryPoint' | 'entryPointVersion' | 'factory'> & {
      readonly hasPaymaster: boolean;
    })[]
  >(READ),
  keystead_removeChain: closed<{ readonly chainId: string }, null>({ ...ASK, ...CHANGE }),
};

type Table = typeof SITE_METHODS;
export type SiteMethodName = keyof Table;

/** The parameters and the result of each method of sites. */
export type SiteMethods = {
  [M in SiteMethodName]: Table[M] extends Method<infer Params, infer Result>
    ? { params: Params; result: Result }
    : never;
};

/** Whether any web page may call a method. */
export type IsOpen<M extends SiteMethodName> = Table[M] extends { readonly isOpen: true } ? true : false;

/** @returns Whether sites can call this method and the snap answers it itself. Only own properties count. */
export const isSiteMethod = (name: string): name is SiteMethodName => Object.hasOwn(SITE_METHODS, name);
