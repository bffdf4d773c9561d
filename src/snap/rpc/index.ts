import { ethAccounts, ethRequestAccounts } from './accounts';
import { readOnly, prepareWithoutBundlerUrl, signing } from './account-method';
import { callsStatus, showCallsStatus } from '../batches/calls-status';
import { ethChainId, netListening, netVersion, walletSwitchEthereumChain } from './chain';
import {
  keysteadGetChains,
  keysteadRemoveChain,
  keysteadSetChain,
  walletAddEthereumChain,
} from './chain-configuration';
import { personalEcRecover } from './ec-recover';
import { walletGetCapabilities } from './get-capabilities';
import { forConnected, inTurn, type RpcMethod } from './method';
import { NODE_READS } from './node-reads';
import { walletGetPermissions, walletRequestPermissions, walletRevokePermissions } from './permissions';
import { walletWatchAsset } from './watch-asset';
import { sendCalls } from '../batches/send-calls';
import { sendTransaction, transactionHashOf } from '../batches/send-transaction';

const send = inTurn(sendTransaction);

const METHODS = {
  eth_requestAccounts: ethRequestAccounts,
  eth_accounts: ethAccounts,
  eth_chainId: ethChainId,
  net_version: netVersion,
  net_listening: netListening,
  wallet_switchEthereumChain: walletSwitchEthereumChain,
  wallet_addEthereumChain: walletAddEthereumChain,
  wallet_watchAsset: walletWatchAsset,
  wallet_getPermissions: walletGetPermissions,
  wallet_requestPermissions: walletRequestPermissions,
  wallet_revokePermissions: walletRevokePermissions,
  personal_sign: signing('personal_sign'),
  personal_ecRecover: personalEcRecover,
  eth_signTypedData_v4: signing('eth_signTypedData_v4'),
  eth_signTransaction: signing('eth_signTransaction'),
  eth_signUserOperation: signing('eth_signUserOperation'),
  eth_prepareUserOperation: prepareWithoutBundlerUrl,
  eth_patchUserOperation: readOnly('eth_patchUserOperation'),
  eth_decodeUserOperationCallData: readOnly('eth_decodeUserOperationCallData'),
  // Wait for inclusion outside the queue, so that other requests of the site are not blocked.
  eth_sendTransaction: async (...request) => transactionHashOf(await send(...request)),
  wallet_getCapabilities: walletGetCapabilities,
  wallet_sendCalls: inTurn(sendCalls),
  wallet_getCallsStatus: forConnected(callsStatus),
  wallet_showCallsStatus: inTurn(showCallsStatus),
  keystead_setChain: keysteadSetChain,
  keystead_getChains: keysteadGetChains,
  keystead_removeChain: keysteadRemoveChain,
  ...NODE_READS,
} satisfies Readonly<Record<string, RpcMethod>>;

/**
 * The methods that sites can call, by name. How the provider treats each is in `src/provider/method-table.ts`: it runs
 * in the page, which loads no part of the snap. A test compares the two tables.
 */
export const RPC_METHODS: Readonly<Record<string, RpcMethod>> = METHODS;

/**
 * The behaviour, while the wallet is locked, of the methods that do not refuse then: they respond as if the site were
 * not connected (`empty`), or ask the user to unlock, who has just asked the site to connect (`unlock`).
 */
export const WHILE_LOCKED: Readonly<Record<string, 'empty' | 'unlock'>> = {
  eth_accounts: 'empty',
  wallet_getPermissions: 'empty',
  eth_requestAccounts: 'unlock',
  wallet_requestPermissions: 'unlock',
} satisfies { readonly [Name in keyof typeof METHODS]?: 'empty' | 'unlock' };
