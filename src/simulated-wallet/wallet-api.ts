import { type Json } from '@metamask/snaps-sdk';

import { ACCOUNT_METHODS } from './account-methods';
import { type Caller, type WalletMethod } from './caller';
import { chainOfSwitch, isRead } from './network';
import { assertOriginMay } from './permissions';
import { invalidParams, methodNotFound, RpcError, userRejected } from './rpc-error';

/** The keyring methods that MetaMask lets web pages call. Signing requests come only from the wallet. */
const PAGE_KEYRING_METHODS = [
  'keyring_listAccounts',
  'keyring_getAccount',
  'keyring_createAccount',
  'keyring_filterAccountChains',
  'keyring_updateAccount',
  'keyring_deleteAccount',
  'keyring_exportAccount',
  'keyring_listRequests',
  'keyring_getRequest',
  'keyring_approveRequest',
  'keyring_rejectRequest',
];

type Invocation = { readonly snapId: string; readonly method: string; readonly params: Json | undefined };

function readInvocation(params: Json | undefined): Invocation {
  const { snapId, request } = (params ?? {}) as { snapId?: unknown; request?: { method?: unknown; params?: Json } };
  if (typeof snapId !== 'string') throw invalidParams('snapId: must be the id of a snap');
  if (typeof request?.method !== 'string') throw invalidParams('request.method: must be the name of a method');
  return { snapId, method: request.method, params: request.params };
}

async function assertConnected({ wallet, origin }: Caller, snapId: string): Promise<void> {
  if (!(await wallet.connections.of(origin)).snaps.includes(snapId))
    throw new RpcError(
      -32600,
      `The snap "${snapId}" is not connected to "${origin}". Please connect before invoking the snap.`,
    );
}

async function invoke(
  handler: string,
  endowment: string,
  { snapId, method, params }: Invocation,
  caller: Caller,
): Promise<Json> {
  await assertConnected(caller, snapId);
  const { files } = await caller.wallet.snap();
  assertOriginMay(files.manifest, endowment, caller.origin);
  return caller.wallet.callSnap(handler, caller.origin, method, params);
}

async function describeSnap({ wallet, origin }: Caller): Promise<Record<string, Json>> {
  const snapId = await wallet.installedSnap();
  if (snapId === undefined || !(await wallet.connections.of(origin)).snaps.includes(snapId)) return {};
  const { version, initialPermissions } = (await wallet.snap()).files.manifest;
  return { [snapId]: { id: snapId, version, enabled: true, blocked: false, initialPermissions } };
}

async function requestSnap(snapId: string, caller: Caller): Promise<void> {
  const { wallet, origin, screens } = caller;
  const wasInstalled = (await wallet.installedSnap()) !== undefined;
  const isConnected = (await wallet.connections.of(origin)).snaps.includes(snapId);
  if (wasInstalled && isConnected) return;
  const { manifest } = await wallet.preview(snapId);
  if (!(await screens.installSnap(origin, snapId, manifest))) throw userRejected();
  await wallet.install(snapId);
  await wallet.connections.addSnap(origin, snapId);
}

const METHODS: Readonly<Record<string, WalletMethod>> = {
  ...ACCOUNT_METHODS,
  wallet_requestSnaps: async (params, caller) => {
    const snapIds = Object.keys((params ?? {}) as Record<string, Json>);
    if (snapIds.length === 0) throw invalidParams('Request must have at least one requested snap.');
    for (const snapId of snapIds) await requestSnap(snapId, caller);
    return describeSnap(caller);
  },
  wallet_getSnaps: (_params, caller) => describeSnap(caller),
  wallet_invokeSnap: (params, caller) => invoke('onRpcRequest', 'endowment:rpc', readInvocation(params), caller),
  wallet_invokeKeyring: (params, caller) => {
    const invocation = readInvocation(params);
    if (!PAGE_KEYRING_METHODS.includes(invocation.method))
      throw new RpcError(
        -32600,
        `The origin "${caller.origin}" is not allowed to invoke the method "${invocation.method}".`,
      );
    return invoke('onKeyringRequest', 'endowment:keyring', invocation, caller);
  },
  wallet_revokePermissions: async (_params, { wallet, origin }) => {
    await wallet.connections.revoke(origin);
    return null;
  },
  wallet_addEthereumChain: async (params, { wallet, origin, screens }) => {
    const [{ chainId, chainName, rpcUrls } = {}] = (Array.isArray(params) ? params : []) as {
      chainId?: string;
      chainName?: string;
      rpcUrls?: string[];
    }[];
    const id = chainOfSwitch([{ chainId: chainId ?? '' }]) as `0x${string}`;
    const rpcUrl = rpcUrls?.[0];
    if (rpcUrl === undefined || !URL.canParse(rpcUrl))
      throw invalidParams('params[0].rpcUrls: must hold the URL of a node');
    const name = chainName ?? `Chain ${BigInt(id)}`;
    const known = await wallet.networks.find(id);
    if (known?.rpcUrl !== rpcUrl && !(await screens.addNetwork(origin, name, rpcUrl))) throw userRejected();
    await wallet.networks.add({ chainId: id, name, rpcUrl });
    return null;
  },
  wallet_switchEthereumChain: async (params, { wallet }) => {
    await wallet.networks.select(chainOfSwitch(params));
    return null;
  },
  eth_chainId: (_params, { wallet }) => wallet.networks.currentId(),
};

/**
 * Answers a request of a web page as MetaMask does.
 *
 * @throws {RpcError} -32601 for an unknown method, otherwise the error of the method.
 */
export async function answerPage(method: string, params: Json | undefined, caller: Caller): Promise<Json> {
  const implementation = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined;
  if (implementation !== undefined) return implementation(params, caller);
  if (isRead(method)) return caller.wallet.networks.request(method, params);
  throw methodNotFound(method);
}
