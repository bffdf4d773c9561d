import { CODES, ProviderRpcError } from './rpc-error';

/** Who answers a method: the snap at once, the snap after it may have asked the person, or the chain's node. */
export type Route = 'snap' | 'person' | 'node';

/** `eth_` methods that are about accounts, not about the chain. */
const ACCOUNT_METHOD =
  /^eth_(?:accounts|chainId|coinbase|requestAccounts|sendTransaction|sign\w*|(?:prepare|patch|decode)UserOperation\w*)$/u;

/** Methods of the snap that open no dialog. Every other method of the snap might. */
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

/** What concerns the wallet that hosts the snap, or its keyring, which no page reaches. */
const NOT_HERE = /^(?:keyring_|snap_|wallet_(?:snap|getSnaps|requestSnaps|invokeSnap|invokeKeyring)$)/u;

/** Methods of the snap after which the page's accounts or chain may be others. */
export const CHANGES_STATE: ReadonlySet<string> = new Set([
  'eth_requestAccounts',
  'keystead_removeChain',
  'keystead_setChain',
  'wallet_addEthereumChain',
  'wallet_requestPermissions',
  'wallet_revokePermissions',
  'wallet_switchEthereumChain',
]);

/** Methods that connect: the only ones that may install the snap. */
export const CONNECTS: ReadonlySet<string> = new Set(['eth_requestAccounts', 'wallet_requestPermissions']);

/** @throws {ProviderRpcError} 4200 for a method of the wallet around the snap: that wallet has its own provider. */
export function routeOf(method: string): Route {
  if (NOT_HERE.test(method))
    throw new ProviderRpcError(CODES.unsupportedMethod, `${method}: not a method of a Keystead account.`);
  if (SILENT.has(method)) return 'snap';
  return ACCOUNT_METHOD.test(method) || !/^(?:eth|net|web3|debug|trace)_/u.test(method) ? 'person' : 'node';
}
