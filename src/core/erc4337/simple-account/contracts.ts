/**
 * `execute` of the account, the same in every version.
 *
 * @example
 * ```ts
 * import { toFunctionSelector } from 'viem/utils';
 * toFunctionSelector(EXECUTE_ABI[0]); // => '0xb61d27f6'
 * ```
 */
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

/**
 * `executeBatch` of SimpleAccount 0.6.
 *
 * @example
 * ```ts
 * import { toFunctionSelector } from 'viem/utils';
 * toFunctionSelector(EXECUTE_BATCH_06_ABI[0]); // => '0x18dfb3c7'
 * ```
 */
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

/**
 * `executeBatch` of SimpleAccount 0.7.
 *
 * @example
 * ```ts
 * import { toFunctionSelector } from 'viem/utils';
 * toFunctionSelector(EXECUTE_BATCH_07_ABI[0]); // => '0x47e1da2a'
 * ```
 */
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

/**
 * `executeBatch` of SimpleAccount 0.8.
 *
 * @example
 * ```ts
 * import { toFunctionSelector } from 'viem/utils';
 * toFunctionSelector(EXECUTE_BATCH_08_ABI[0]); // => '0x34fcd5be'
 * ```
 */
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

/**
 * `initialize` of the implementation, called through the proxy.
 *
 * @example
 * ```ts
 * import { toFunctionSelector } from 'viem/utils';
 * toFunctionSelector(INITIALIZE_ABI[0]); // => '0xc4d66de8'
 * ```
 */
export const INITIALIZE_ABI = [
  {
    type: 'function',
    name: 'initialize',
    stateMutability: 'nonpayable',
    inputs: [{ name: 'anOwner', type: 'address' }],
    outputs: [],
  },
] as const;

/**
 * `createAccount` of SimpleAccountFactory.
 *
 * @example
 * ```ts
 * import { toFunctionSelector } from 'viem/utils';
 * toFunctionSelector(CREATE_ACCOUNT_ABI[0]); // => '0x5fbfb9cf'
 * ```
 */
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

/**
 * The constructor parameters of ERC1967Proxy: the implementation and its initialization call.
 *
 * @example
 * ```ts
 * import { encodeAbiParameters, size } from 'viem/utils';
 * const implementation = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
 * size(encodeAbiParameters(PROXY_CONSTRUCTOR, [implementation, '0x'])); // => 96
 * ```
 */
export const PROXY_CONSTRUCTOR = [{ type: 'address' }, { type: 'bytes' }] as const;
