/** The functions of Candide's Social Recovery Module 0.1.0 that Keystead calls. `wallet` is the Safe. */
export const RECOVERY_ABI = [
  {
    type: 'function',
    name: 'addGuardianWithThreshold',
    stateMutability: 'nonpayable',
    inputs: [
      { name: 'guardian', type: 'address' },
      { name: 'threshold', type: 'uint256' },
    ],
    outputs: [],
  },
  {
    type: 'function',
    name: 'revokeGuardianWithThreshold',
    stateMutability: 'nonpayable',
    inputs: [
      { name: 'prevGuardian', type: 'address' },
      { name: 'guardian', type: 'address' },
      { name: 'threshold', type: 'uint256' },
    ],
    outputs: [],
  },
  {
    type: 'function',
    name: 'confirmRecovery',
    stateMutability: 'nonpayable',
    inputs: [
      { name: 'wallet', type: 'address' },
      { name: 'newOwners', type: 'address[]' },
      { name: 'newThreshold', type: 'uint256' },
      { name: 'execute', type: 'bool' },
    ],
    outputs: [],
  },
  {
    type: 'function',
    name: 'multiConfirmRecovery',
    stateMutability: 'nonpayable',
    inputs: [
      { name: 'wallet', type: 'address' },
      { name: 'newOwners', type: 'address[]' },
      { name: 'newThreshold', type: 'uint256' },
      {
        name: 'signatures',
        type: 'tuple[]',
        components: [
          { name: 'signer', type: 'address' },
          { name: 'signature', type: 'bytes' },
        ],
      },
      { name: 'execute', type: 'bool' },
    ],
    outputs: [],
  },
  {
    type: 'function',
    name: 'executeRecovery',
    stateMutability: 'nonpayable',
    inputs: [
      { name: 'wallet', type: 'address' },
      { name: 'newOwners', type: 'address[]' },
      { name: 'newThreshold', type: 'uint256' },
    ],
    outputs: [],
  },
  {
    type: 'function',
    name: 'finalizeRecovery',
    stateMutability: 'nonpayable',
    inputs: [{ name: 'wallet', type: 'address' }],
    outputs: [],
  },
  {
    type: 'function',
    name: 'changeThreshold',
    stateMutability: 'nonpayable',
    inputs: [{ name: 'threshold', type: 'uint256' }],
    outputs: [],
  },
  {
    type: 'function',
    name: 'hasGuardianApproved',
    stateMutability: 'view',
    inputs: [
      { name: 'wallet', type: 'address' },
      { name: 'guardian', type: 'address' },
      { name: 'newOwners', type: 'address[]' },
      { name: 'newThreshold', type: 'uint256' },
    ],
    outputs: [{ name: 'approved', type: 'bool' }],
  },
  { type: 'function', name: 'cancelRecovery', stateMutability: 'nonpayable', inputs: [], outputs: [] },
] as const;

/** The functions of a Safe that switch a module on and off. */
export const SAFE_ADMINISTRATION_ABI = [
  {
    type: 'function',
    name: 'enableModule',
    stateMutability: 'nonpayable',
    inputs: [{ name: 'module', type: 'address' }],
    outputs: [],
  },
  {
    type: 'function',
    name: 'disableModule',
    stateMutability: 'nonpayable',
    inputs: [
      { name: 'prevModule', type: 'address' },
      { name: 'module', type: 'address' },
    ],
    outputs: [],
  },
] as const;

/** What a guardian signs (EIP-712). The domain names the module, the network and this Safe's next recovery. */
export const EXECUTE_RECOVERY_TYPES = {
  ExecuteRecovery: [
    { name: 'wallet', type: 'address' },
    { name: 'newOwners', type: 'address[]' },
    { name: 'newThreshold', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
  ],
} as const;
