/** `execute` of the account, the same in every version. */
export const EXECUTE_ABI = [
  {
    type: 'function',
    name: 'execute',
    stateMutability: 'nonpayable',
    inputs: [
      { name: 'dest', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'func', type: 'bytes' },
    ],
    outputs: [],
  },
] as const;

/** `executeBatch` of SimpleAccount 0.6. */
export const EXECUTE_BATCH_06_ABI = [
  {
    type: 'function',
    name: 'executeBatch',
    stateMutability: 'nonpayable',
    inputs: [
      { name: 'dest', type: 'address[]' },
      { name: 'func', type: 'bytes[]' },
    ],
    outputs: [],
  },
] as const;

/** `executeBatch` of SimpleAccount 0.7. */
export const EXECUTE_BATCH_07_ABI = [
  {
    type: 'function',
    name: 'executeBatch',
    stateMutability: 'nonpayable',
    inputs: [
      { name: 'dest', type: 'address[]' },
      { name: 'value', type: 'uint256[]' },
      { name: 'func', type: 'bytes[]' },
    ],
    outputs: [],
  },
] as const;

/** `executeBatch` of SimpleAccount 0.8. */
export const EXECUTE_BATCH_08_ABI = [
  {
    type: 'function',
    name: 'executeBatch',
    stateMutability: 'nonpayable',
    inputs: [
      {
        name: 'calls',
        type: 'tuple[]',
        components: [
          { name: 'target', type: 'address' },
          { name: 'value', type: 'uint256' },
          { name: 'data', type: 'bytes' },
        ],
      },
    ],
    outputs: [],
  },
] as const;

/** `initialize` of the implementation, called through the proxy. */
export const INITIALIZE_ABI = [
  {
    type: 'function',
    name: 'initialize',
    stateMutability: 'nonpayable',
    inputs: [{ name: 'anOwner', type: 'address' }],
    outputs: [],
  },
] as const;

/** `createAccount` of SimpleAccountFactory. */
export const CREATE_ACCOUNT_ABI = [
  {
    type: 'function',
    name: 'createAccount',
    stateMutability: 'nonpayable',
    inputs: [
      { name: 'owner', type: 'address' },
      { name: 'salt', type: 'uint256' },
    ],
    outputs: [],
  },
] as const;

/** The constructor parameters of ERC1967Proxy: the implementation and its initialization call. */
export const PROXY_CONSTRUCTOR = [{ type: 'address' }, { type: 'bytes' }] as const;
