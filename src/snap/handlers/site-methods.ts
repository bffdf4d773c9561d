import { type SiteMethodName } from '../../core/methods/sites';
import { callsStatus } from '../send/calls-status';
import { showCallsStatus } from './show-calls-status';
import { sendCalls } from '../send/send-calls';
import { sendTransaction } from '../send/send-transaction';
import { prepareWithoutBundlerUrl, readOnly, signing } from '../sites/methods/account-method';
import { ethAccounts, ethRequestAccounts } from '../sites/methods/accounts';
import { ethChainId, netListening, netVersion, walletSwitchEthereumChain } from '../sites/methods/chain';
import {
  keysteadGetChains,
  keysteadRemoveChain,
  keysteadSetChain,
  walletAddEthereumChain,
} from '../sites/methods/chain-configuration';
import { personalEcRecover } from '../sites/methods/ec-recover';
import { walletGetCapabilities } from '../sites/methods/get-capabilities';
import { type BatchDeps } from '../send/deps';
import { type RpcMethod, type SiteMethodDeps } from '../sites/methods/method';
import { type Tell } from '../wallet/dialogs';
import { walletGetPermissions, walletRequestPermissions, walletRevokePermissions } from '../sites/methods/permissions';
import { walletWatchAsset } from '../sites/methods/watch-asset';

/** What the methods that sites call take, altogether. */
export type RpcDeps = SiteMethodDeps & BatchDeps & { readonly tell: Tell };

/** The handlers of the methods of sites. A method of the table without its handler does not compile. */
export const RPC_METHODS: { readonly [M in SiteMethodName]: RpcMethod<M, RpcDeps> } = {
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
  eth_sendTransaction: sendTransaction,
  wallet_getCapabilities: walletGetCapabilities,
  wallet_sendCalls: sendCalls,
  wallet_getCallsStatus: callsStatus,
  wallet_showCallsStatus: showCallsStatus,
  keystead_setChain: keysteadSetChain,
  keystead_getChains: keysteadGetChains,
  keystead_removeChain: keysteadRemoveChain,
};
