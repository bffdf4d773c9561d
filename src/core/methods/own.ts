import type { DiscoveredAccount, KeyringAccount, KeyringRequest } from '@metamask/keyring-api';

import { type Contact } from '../accounts/contact';
import { type Replacement } from '../calls/replacement';
import { type Explanation } from '../decode/explanation';
import { type Hex } from '../eth/bytes';
import { type Kept } from '../ledger/signed/kept';
import { type ChainName } from '../schemas/chain';
import { type ChainConfiguration } from '../schemas/chain-configuration';
import { type AddedDelegate } from '../schemas/delegate';
import { type StorageSettings } from '../schemas/storage-settings';
import {
  type Activity,
  type AskedMessage,
  type BackedUp,
  type Delegation,
  type ForOwner,
  type FoundRecovered,
  type Proposed,
  type AccountNotice,
  type Restored,
  type WatchedModule,
  type WatchedToken,
} from './results';
import { type ChainSettings } from './types';

/** How a method of the keyring handler is called. */
type Traits = {
  /** It may ask the person. */
  readonly asks?: true;
  /** Only MetaMask may call it: it signs, or says what MetaMask itself shows. */
  readonly isForWallet?: true;
  /** It is answered while the wallet is locked, which protects the keys and the state by itself. */
  readonly worksLocked?: true;
};

/** The types of parameters and result. They exist for the compiler only. */
type Method<Params, Result> = Traits & { readonly types?: { readonly params: Params; readonly result: Result } };
const method = <Params, Result>(traits: Traits = {}): Method<Params, Result> => traits;

const ASK: Traits = { asks: true };
const WALLET: Traits = { isForWallet: true };

type None = undefined;
type Id = { readonly id: string };
type AddressOnNetwork = { readonly chainId: ChainName | Hex; readonly address: Hex };

/** The keyring API v1 (keyring-api 21.6), for MetaMask and for Keystead's own pages. */
export const KEYRING_METHODS = {
  keyring_listAccounts: method<None, readonly KeyringAccount[]>(),
  keyring_getAccount: method<Id, KeyringAccount>(),
  keyring_createAccount: method<{ readonly options: Readonly<Record<string, unknown>> }, KeyringAccount>(ASK),
  keyring_filterAccountChains: method<Id & { readonly chains: readonly string[] }, readonly string[]>(),
  keyring_updateAccount: method<{ readonly account: KeyringAccount }, null>(),
  keyring_deleteAccount: method<Id, null>(ASK),
  keyring_exportAccount: method<Id, { readonly privateKey: Hex }>(ASK),
  keyring_discoverAccounts: method<
    { readonly scopes: readonly string[]; readonly entropySource: string; readonly groupIndex: number },
    readonly DiscoveredAccount[]
  >(),
  keyring_setSelectedAccounts: method<{ readonly accounts: readonly string[] }, null>(WALLET),
  keyring_resolveAccountAddress: method<
    { readonly scope: string; readonly request: { readonly method: string; readonly params?: unknown } },
    { readonly address: string } | null
  >(WALLET),
  keyring_listRequests: method<None, readonly KeyringRequest[]>(),
  keyring_getRequest: method<Id, never>(),
  keyring_approveRequest: method<Id & { readonly data: Readonly<Record<string, unknown>> }, never>(),
  keyring_rejectRequest: method<Id, never>(),
  keyring_submitRequest: method<KeyringRequest, unknown>({ ...ASK, ...WALLET, worksLocked: true }),
};

/** The methods beyond the keyring API with which MetaMask and Keystead's own pages manage what the snap stores. */
export const MANAGEMENT_METHODS = {
  keystead_setChain: method<ChainSettings, ChainConfiguration>(ASK),
  keystead_getChains: method<None, readonly ChainConfiguration[]>(),
  keystead_removeChain: method<{ readonly chainId: string }, null>(ASK),
  keystead_addDelegate: method<AddressOnNetwork, AddedDelegate>(ASK),
  keystead_getDelegates: method<None, readonly AddedDelegate[]>(),
  keystead_removeDelegate: method<AddressOnNetwork, null>(ASK),
  keystead_getDelegations: method<None, readonly Delegation[]>(),
  keystead_takeBackDelegation: method<AddressOnNetwork, Hex | null>(ASK),
  keystead_findRecovered: method<{ readonly index: number }, FoundRecovered>(),
  keystead_getRecoveries: method<None, readonly (WatchedModule | AccountNotice)[]>(),
  keystead_cancelRecovery: method<AddressOnNetwork & { readonly module: Hex }, Hex>(ASK),
  keystead_setStorage: method<StorageSettings, Omit<StorageSettings, 'secret'>>(ASK),
  keystead_getStorage: method<None, Omit<StorageSettings, 'secret'> | null>(),
  keystead_backUp: method<{ readonly withFile?: boolean; readonly onlyFile?: boolean } | undefined, BackedUp>(ASK),
  keystead_restore: method<{ readonly cid: string } | { readonly file: string }, Restored>(ASK),
  keystead_getTokens: method<None, readonly WatchedToken[]>(),
  keystead_removeToken: method<AddressOnNetwork, null>(),
  keystead_getContacts: method<None, readonly Contact[]>(),
  keystead_saveContacts: method<{ readonly contacts: readonly Contact[] }, null>(ASK),
  keystead_removeContact: method<Pick<AddressOnNetwork, 'address'>, null>(),
  keystead_getActivity: method<{ readonly lookUp?: boolean } | undefined, readonly Activity[]>(),
  keystead_getSignatures: method<None, readonly Kept[]>(),
  keystead_noteSignature: method<{ readonly account: Hex; readonly hash: Hex; readonly goneAt: string | null }, null>(),
  keystead_replaceCalls: method<{ readonly hash: Hex; readonly how: Replacement }, Hex>(ASK),
  keystead_getProposals: method<None, readonly (Proposed | AskedMessage)[]>(),
  keystead_explainMessage: method<ForOwner, Omit<Explanation, 'unresolved' | 'usable'>>(),
  keystead_signAsOwner: method<ForOwner, Hex>(ASK),
  keystead_answerMessage: method<
    { readonly origin: string; readonly hash: Hex; readonly signature: Hex | null },
    null
  >(),
  keystead_getUnannounced: method<None, readonly string[]>(),
  keystead_announceAccount: method<Id, KeyringAccount>(),
  /** `keyring_discoverAccounts`, which MetaMask does not forward from pages. */
  keystead_discoverAccounts: method<
    { readonly scopes: readonly string[]; readonly entropySource: string; readonly groupIndex: number },
    readonly DiscoveredAccount[]
  >(),
};

/** Every method of the keyring handler. */
export const OWN_METHODS = { ...KEYRING_METHODS, ...MANAGEMENT_METHODS };
type Table = typeof OWN_METHODS;
export type OwnMethodName = keyof Table;
export type KeyringMethodName = keyof typeof KEYRING_METHODS;
export type ManagementMethodName = keyof typeof MANAGEMENT_METHODS;

/** The parameters and the result of each method of the keyring handler. */
export type OwnMethods = {
  [M in OwnMethodName]: Table[M] extends Method<infer Params, infer Result>
    ? { params: Params; result: Result }
    : never;
};

/** @returns Whether it is a method of the keyring API. Only own properties count. */
export const isKeyringMethod = (name: string): name is KeyringMethodName => Object.hasOwn(KEYRING_METHODS, name);

/** @returns Whether it is a method beyond the keyring API. Only own properties count. */
export const isManagementMethod = (name: string): name is ManagementMethodName =>
  Object.hasOwn(MANAGEMENT_METHODS, name);

/** @returns How a method of the keyring handler is called; undefined if there is none. Only own properties count. */
export const ownTraits = (name: string): Traits | undefined =>
  Object.hasOwn(OWN_METHODS, name) ? OWN_METHODS[name as OwnMethodName] : undefined;
