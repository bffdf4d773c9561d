import type { KeyringAccount } from '@metamask/keyring-api';
import { type Json } from '@metamask/snaps-sdk';
import { bytesToHex } from '@noble/hashes/utils.js';

import { MINIMUM_PLATFORM_VERSION } from '../core/minimum-wallet';
import { type Accounts } from './accounts';
import { type BackgroundEvents } from './background-events';
import { snapEntropy } from './entropy';
import { type InterfaceState, type Interfaces, type SnapElement } from './interfaces';
import { type Lock } from './lock';
import { chainOfSwitch, isRead, type Networks } from './network';
import { assertSnapMay } from './permissions';
import { seedOf } from './phrase';
import { alreadyPending, invalidParams, methodNotFound } from './rpc-error';
import { type SnapFiles } from './snap-files';
import { type SnapState } from './snap-state';

/** The screens that the wallet shows for the snap. */
export type SnapScreens = {
  /** Shows a `snap_dialog` of a type. Without a type, the snap's own buttons answer the dialog. */
  readonly dialog: (type: string | undefined, interfaceId: string, placeholder?: string) => Promise<Json>;
  /** @returns Whether the person agrees to add the account. */
  readonly addAccount: (account: KeyringAccount, name: string) => Promise<boolean>;
  readonly notify: (message: string) => void;
};

export type SnapApiDeps = {
  readonly snapId: string;
  readonly files: SnapFiles;
  readonly state: SnapState;
  readonly accounts: Accounts;
  readonly interfaces: Interfaces;
  /** The types of the open dialogs. */
  readonly openDialogs: Set<string>;
  readonly networks: Networks;
  readonly events: BackgroundEvents;
  readonly lock: Lock;
  readonly screens: SnapScreens;
  /** The recovery phrase. */
  readonly phrase: () => Promise<string>;
};

type Params = Record<string, Json>;
type Method = (params: Params, deps: SnapApiDeps) => Promise<Json> | Json;

const isEncrypted = ({ encrypted }: Params): boolean => encrypted !== false;
const keyOf = ({ key }: Params): string | undefined => (key === undefined ? undefined : text(key, 'key'));

function text(value: Json | undefined, field: string): string {
  if (typeof value !== 'string') throw invalidParams(`${field}: must be a string`);
  return value;
}

function element(value: Json | undefined, field: string): SnapElement {
  if (typeof value !== 'object' || value === null || !('type' in value))
    throw invalidParams(`${field}: must be a JSX element`);
  return value as unknown as SnapElement;
}

/** `snap_manageAccounts`: the events of the keyring API v1, with the checks of MetaMask's SnapKeyring. */
const ACCOUNT_EVENTS: Readonly<Record<string, Method>> = {
  'notify:accountCreated': async (params, { accounts, screens }) => {
    const account = params.account as unknown as KeyringAccount;
    if (!(await accounts.isNew(account))) return null;
    const name = typeof params.accountNameSuggestion === 'string' ? params.accountNameSuggestion : 'Snap account';
    if (!(await screens.addAccount(account, name))) throw invalidParams('User denied account creation');
    await accounts.add(account, name);
    return null;
  },
  'notify:accountUpdated': async (params, { accounts }) => {
    await accounts.update(params.account as unknown as KeyringAccount);
    return null;
  },
  'notify:accountDeleted': async (params, { accounts }) => {
    await accounts.delete(text(params.id, 'id'));
    return null;
  },
  getSelectedAccounts: async (_params, { accounts }) => (await accounts.list()).map(({ account }) => account.id),
};

const FILE_ENCODINGS: Readonly<Record<string, (bytes: Uint8Array) => string>> = {
  base64: (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')),
  hex: (bytes) => `0x${bytesToHex(bytes)}`,
  utf8: (bytes) => new TextDecoder().decode(bytes),
};

const METHODS: Readonly<Record<string, Method>> = {
  snap_dialog: async (params, { interfaces, openDialogs, screens, snapId }) => {
    const id = params.id === undefined ? interfaces.create(element(params.content, 'content')) : text(params.id, 'id');
    interfaces.get(id);
    const type = params.type === undefined ? undefined : text(params.type, 'type');
    const placeholder = typeof params.placeholder === 'string' ? params.placeholder : undefined;
    const approvalType = type === undefined ? 'snap_dialog' : `snap_dialog:${type}`;
    if (openDialogs.has(approvalType)) throw alreadyPending(approvalType, snapId);
    openDialogs.add(approvalType);
    try {
      return await screens.dialog(type, id, placeholder);
    } finally {
      openDialogs.delete(approvalType);
      interfaces.delete(id);
    }
  },
  snap_getEntropy: async ({ version, salt, source }, { snapId, phrase }) => {
    if (version !== 1) throw invalidParams('version: must be 1');
    if (source !== undefined && source !== 'default')
      throw invalidParams('source: must be "default", the only recovery phrase');
    return snapEntropy(await seedOf(await phrase()), snapId, salt === undefined ? undefined : text(salt, 'salt'));
  },
  snap_listEntropySources: () => [{ name: 'Recovery phrase', id: 'default', type: 'mnemonic', primary: true }],
  snap_manageAccounts: ({ method, params }, deps) => {
    const event = ACCOUNT_EVENTS[text(method, 'method')];
    if (event === undefined) throw methodNotFound(`snap_manageAccounts: ${String(method)}`);
    return event((params ?? {}) as Params, deps);
  },
  snap_getState: (params, { state }) => state.get(keyOf(params), isEncrypted(params)),
  snap_setState: async (params, { state }) => {
    await state.set(keyOf(params), params.value ?? null, isEncrypted(params));
    return null;
  },
  snap_clearState: async (params, { state }) => {
    await state.clear(isEncrypted(params));
    return null;
  },
  snap_manageState: async (params, { state }) => {
    if (params.operation === 'get') return state.get(undefined, isEncrypted(params));
    if (params.operation === 'clear') await state.clear(isEncrypted(params));
    else if (params.operation === 'update') await state.set(undefined, params.newState ?? null, isEncrypted(params));
    else throw invalidParams('operation: must be get, update or clear');
    return null;
  },
  snap_createInterface: ({ ui, context }, { interfaces }) => interfaces.create(element(ui, 'ui'), context),
  snap_updateInterface: ({ id, ui, context }, { interfaces }) => {
    interfaces.update(text(id, 'id'), element(ui, 'ui'), context);
    return null;
  },
  snap_getInterfaceState: ({ id }, { interfaces }): InterfaceState => interfaces.get(text(id, 'id')).state,
  snap_getInterfaceContext: ({ id }, { interfaces }) => interfaces.get(text(id, 'id')).context,
  snap_resolveInterface: ({ id, value }, { interfaces }) => {
    interfaces.resolve(text(id, 'id'), value ?? null);
    return null;
  },
  snap_getFile: ({ path, encoding = 'base64' }, { files }) => {
    const file = files.auxiliary.get(text(path, 'path').replace(/^\.\//u, ''));
    const encode = FILE_ENCODINGS[text(encoding, 'encoding')];
    if (file === undefined) throw invalidParams(`The file "${String(path)}" is not listed in the snap's manifest.`);
    if (encode === undefined) throw invalidParams('encoding: must be base64, hex or utf8');
    return encode(file);
  },
  snap_scheduleBackgroundEvent: (params, { events }) =>
    events.schedule(params as unknown as Parameters<BackgroundEvents['schedule']>[0]),
  snap_cancelBackgroundEvent: async ({ id }, { events }) => {
    await events.cancel(text(id, 'id'));
    return null;
  },
  snap_getBackgroundEvents: async (_params, { events }) => [...(await events.list())] as unknown as Json,
  snap_getClientStatus: (_params, { lock }) => ({
    locked: lock.isLocked,
    active: true,
    clientVersion: 'simulated',
    platformVersion: MINIMUM_PLATFORM_VERSION,
  }),
  snap_getPreferences: () => ({ locale: 'en', currency: 'usd' }),
  snap_getLocale: () => 'en',
  snap_notify: ({ message }, { screens }) => {
    screens.notify(text(message, 'message'));
    return null;
  },
};

/** Methods that wait until the wallet is unlocked, those of the state unless it is the unencrypted one. */
const NEEDS_UNLOCKING = new Set([
  'snap_getEntropy',
  'snap_manageAccounts',
  'snap_getState',
  'snap_setState',
  'snap_clearState',
  'snap_manageState',
]);

/**
 * Answers a request of the snap: a `snap_*` method for which its manifest requests the permission, or a read method of
 * the wallet's node.
 *
 * @throws {RpcError} With the codes of MetaMask.
 */
export async function answerSnap(method: string, params: Json | undefined, deps: SnapApiDeps): Promise<Json> {
  if (method.startsWith('snap_')) {
    const implementation = METHODS[method];
    if (implementation === undefined) throw methodNotFound(method);
    assertSnapMay(deps.files.manifest, method);
    if (NEEDS_UNLOCKING.has(method) && isEncrypted((params ?? {}) as Params)) await deps.lock.whenUnlocked();
    return implementation((params ?? {}) as Params, deps);
  }
  const { networks } = deps;
  if (method === 'eth_chainId') return networks.currentId();
  if (method === 'eth_accounts') return [];
  if (method === 'wallet_switchEthereumChain') {
    await networks.select(chainOfSwitch(params));
    return null;
  }
  if (!isRead(method)) throw methodNotFound(method);
  return networks.request(method, params);
}
