import { ethAccounts, ethRequestAccounts } from './accounts';
import { looking, preparing, signing } from './account-method';
import { walletGetCallsStatus, walletShowCallsStatus } from '../batches/calls-status';
import { ethChainId, netVersion, walletSwitchEthereumChain } from './chain';
import { keysteadGetChains, keysteadRemoveChain, keysteadSetChain } from './chain-configuration';
import { walletGetCapabilities } from '../batches/get-capabilities';
import { type DoorMethod } from './method';
import { NODE_READS } from './node-reads';
import { walletGetPermissions, walletRequestPermissions, walletRevokePermissions } from './permissions';
import { walletSendCalls } from '../batches/send-calls';
import { ethSendTransaction } from '../batches/send-transaction';

/** Every method of the dapp door, by name. */
export const DOOR_METHODS: Readonly<Record<string, DoorMethod>> = {
  eth_requestAccounts: ethRequestAccounts,
  eth_accounts: ethAccounts,
  eth_chainId: ethChainId,
  net_version: netVersion,
  wallet_switchEthereumChain: walletSwitchEthereumChain,
  wallet_getPermissions: walletGetPermissions,
  wallet_requestPermissions: walletRequestPermissions,
  wallet_revokePermissions: walletRevokePermissions,
  personal_sign: signing('personal_sign'),
  eth_signTypedData_v4: signing('eth_signTypedData_v4'),
  eth_signTransaction: signing('eth_signTransaction'),
  eth_signUserOperation: signing('eth_signUserOperation'),
  eth_prepareUserOperation: preparing,
  eth_patchUserOperation: looking('eth_patchUserOperation'),
  eth_decodeUserOperationCallData: looking('eth_decodeUserOperationCallData'),
  eth_sendTransaction: ethSendTransaction,
  wallet_getCapabilities: walletGetCapabilities,
  wallet_sendCalls: walletSendCalls,
  wallet_getCallsStatus: walletGetCallsStatus,
  wallet_showCallsStatus: walletShowCallsStatus,
  keystead_setChain: keysteadSetChain,
  keystead_getChains: keysteadGetChains,
  keystead_removeChain: keysteadRemoveChain,
  ...NODE_READS,
};
