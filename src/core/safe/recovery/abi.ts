import { parseAbi, parseAbiParameters } from 'viem/utils';

/** The functions of Candide's Social Recovery Module 0.1.0 that Keystead calls. `wallet` is the Safe. */
export const RECOVERY_ABI = parseAbi([
  'function addGuardianWithThreshold(address guardian, uint256 threshold)',
  'function revokeGuardianWithThreshold(address prevGuardian, address guardian, uint256 threshold)',
  'function confirmRecovery(address wallet, address[] newOwners, uint256 newThreshold, bool execute)',
  'function multiConfirmRecovery(address wallet, address[] newOwners, uint256 newThreshold, (address signer, bytes signature)[] signatures, bool execute)',
  'function executeRecovery(address wallet, address[] newOwners, uint256 newThreshold)',
  'function finalizeRecovery(address wallet)',
  'function changeThreshold(uint256 threshold)',
  'function hasGuardianApproved(address wallet, address guardian, address[] newOwners, uint256 newThreshold) view returns (bool approved)',
  'function cancelRecovery()',
]);

/** The functions of a Safe that switch a module on and off. */
export const SAFE_ADMINISTRATION_ABI = parseAbi([
  'function enableModule(address module)',
  'function disableModule(address prevModule, address module)',
]);

/** What a guardian signs (EIP-712). The domain names the module, the network and this Safe's next recovery. */
export const EXECUTE_RECOVERY_TYPES = {
  ExecuteRecovery: parseAbiParameters('address wallet, address[] newOwners, uint256 newThreshold, uint256 nonce'),
} as const;
