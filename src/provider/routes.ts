import { CODES, ProviderRpcError } from './rpc-error';

/** Where a method goes: to the snap without a dialog, to the snap with a possible dialog, or to the chain's node. */
export type Route = 'silent' | 'dialog' | 'node';

/** `eth_` methods that concern accounts rather than the chain. */
const ACCOUNT_METHOD =
  /^eth_(?:accounts|chainId|coinbase|requestAccounts|sendTransaction|sign\w*|(?:prepare|patch|decode)UserOperation\w*)$/u;

/** Methods of the snap that never open a dialog. Every other one might. */
const SILENT: ReadonlySet<string> = new Set([
  'eth_accounts',
  'eth_chainId',
  'eth_coinbase',
  'eth_decodeUserOperationCallData',
  'eth_patchUserOperation',
  'eth_prepareUserOperation',
  'keystead_getChains',
  'wallet_getCallsStatus',
  'wallet_getCapabilities',
  'wallet_getPermissions',
]);

/** Methods of the wallet that hosts the snap, and of its keyring, which pages cannot call. */
const HOST_METHOD = /^(?:keyring_|snap_|wallet_(?:snap|getSnaps|requestSnaps|invokeSnap|invokeKeyring)$)/u;

/** Methods of the snap that may change the page's accounts or chain. */
export const CHANGES_STATE: ReadonlySet<string> = new Set([
  'eth_requestAccounts',
  'keystead_removeChain',
  'keystead_setChain',
  'wallet_addEthereumChain',
  'wallet_requestPermissions',
  'wallet_revokePermissions',
  'wallet_switchEthereumChain',
]);

/**
 * The only methods that may install the snap: those that connect the page, and those that add a network, which a page may do
 * first, so that the account that connecting creates can be on it.
 */
export const INSTALLS: ReadonlySet<string> = new Set([
  'eth_requestAccounts',
  'keystead_setChain',
  'wallet_addEthereumChain',
  'wallet_requestPermissions',
]);

/** @throws {ProviderRpcError} 4200 for a method of the host wallet, which has its own provider. */
export function routeOf(method: string): Route {
  if (HOST_METHOD.test(method))
    throw new ProviderRpcError(
      CODES.unsupportedMethod,
      `${method}: not a method of Keystead. Call it on the provider of the wallet.`,
    );
  if (SILENT.has(method)) return 'silent';
  return ACCOUNT_METHOD.test(method) || !/^(?:eth|net|web3|debug|trace)_/u.test(method) ? 'dialog' : 'node';
}
