import { type Hex } from '../eth/bytes';

/**
 * A call of `wallet_sendCalls` (EIP-5792). `value` is in wei, as a hex quantity.
 *
 * @example
 * import { type Call } from 'keystead/provider';
 *
 * const deposit: Call = {
 *   to: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2', // WETH
 *   value: '0xde0b6b3a7640000', // 1 ETH
 *   data: '0xd0e30db0',
 * };
 */
export type Call = {
  readonly to?: Hex;
  readonly data?: Hex;
  readonly value?: Hex;
  readonly capabilities?: Capabilities;
};
/**
 * Capabilities by name (EIP-5792), such as `atomic` and `paymasterService`.
 *
 * @example
 * import { type Capabilities } from 'keystead/provider';
 *
 * const capabilities: Capabilities = { paymasterService: { url: 'https://paymaster.example' } };
 */
export type Capabilities = Readonly<Record<string, unknown>>;
/**
 * A permission of a site (EIP-2255).
 *
 * @example
 * import { createKeysteadProvider, type Permission } from 'keystead/provider';
 *
 * const permissions: readonly Permission[] = await createKeysteadProvider().request({ method: 'wallet_getPermissions'
 * }); const isConnected = permissions.some(({ parentCapability }) => parentCapability === 'eth_accounts');
 */
export type Permission = {
  /** The origin of the site. */
  readonly invoker: string;
  readonly parentCapability: string;
  readonly caveats: readonly { readonly type: string; readonly value: unknown }[];
  /**
   * The time at which the person chose the accounts, in milliseconds since 1970. Missing if an earlier version
   * connected the site.
   */
  readonly date?: number;
};
/**
 * A transaction of `eth_signTransaction` and `eth_sendTransaction`. Quantities and bytes are hex strings, `value` and
 * the fees in wei. Give either the legacy `gasPrice` or both fees of EIP-1559, not both.
 *
 * @example
 * import { type TransactionParams } from 'keystead/provider';
 *
 * const transaction: TransactionParams = {
 *   from: '0x19d9fbD1eAc05da79914F7e0525D1C5B2EDc6c25',
 *   to: '0x3535353535353535353535353535353535353535',
 *   value: '0x2386f26fc10000', // 0.01 ETH
 * };
 */
export type TransactionParams = {
  readonly from: Hex;
  readonly to?: Hex | null;
  readonly value?: Hex;
  readonly data?: Hex;
  readonly gas?: Hex;
  readonly nonce?: Hex;
  readonly type?: Hex;
  readonly chainId?: Hex;
  readonly gasPrice?: Hex;
  readonly maxFeePerGas?: Hex;
  readonly maxPriorityFeePerGas?: Hex;
  readonly accessList?: readonly { readonly address: Hex; readonly storageKeys: readonly Hex[] }[];
};
/**
 * A call that a user operation is to make. `value` is in wei, as a hex quantity.
 *
 * @example
 * import { type Intent } from 'keystead/provider';
 *
 * const intent: Intent = { to: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', value: '0x2386f26fc10000', data: '0x' };
 * // 0.01 ETH
 */
export type Intent = { readonly to: Hex; readonly value: Hex; readonly data: Hex };
/**
 * A user operation with the fields of entry point 0.6, which Keystead uses for every version (ERC-4337).
 *
 * @example
 * import { type UserOperation } from 'keystead/provider';
 *
 * const operation: UserOperation = {
 *   sender: '0x19d9fbD1eAc05da79914F7e0525D1C5B2EDc6c25',
 *   nonce: '0x7',
 *   initCode: '0x', // The account is deployed.
 *   callData: '0xb61d27f6',
 *   callGasLimit: '0xc350',
 *   verificationGasLimit: '0x186a0',
 *   preVerificationGas: '0xc350',
 *   maxFeePerGas: '0x3b9aca00', // 1 gwei
 *   maxPriorityFeePerGas: '0x3b9aca00',
 *   paymasterAndData: '0x', // The account pays its own fees.
 *   signature: '0x',
 * };
 */
export type UserOperation = Readonly<
  Record<
    | 'sender'
    | 'nonce'
    | 'initCode'
    | 'callData'
    | 'callGasLimit'
    | 'verificationGasLimit'
    | 'preVerificationGas'
    | 'maxFeePerGas'
    | 'maxPriorityFeePerGas'
    | 'paymasterAndData'
    | 'signature',
    Hex
  >
>;
/**
 * The gas limits of a user operation, in gas, as hex quantities.
 *
 * @example
 * import { type GasLimits } from 'keystead/provider';
 *
 * const limits: GasLimits = {
 *   callGasLimit: '0xc350', // 50,000
 *   verificationGasLimit: '0x186a0', // 100,000
 *   preVerificationGas: '0xc350',
 * };
 */
export type GasLimits = Readonly<Record<'callGasLimit' | 'verificationGasLimit' | 'preVerificationGas', Hex>>;
/**
 * Typed data (EIP-712).
 *
 * @example
 * import { type TypedData } from 'keystead/provider';
 *
 * const login: TypedData = {
 *   types: {
 *     EIP712Domain: [{ name: 'chainId', type: 'uint256' }],
 *     Login: [{ name: 'nonce', type: 'uint256' }],
 *   },
 *   primaryType: 'Login',
 *   domain: { chainId: 1 },
 *   message: { nonce: '7' },
 * };
 */
export type TypedData = {
  readonly types: Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>>;
  readonly primaryType: string;
  readonly domain: Readonly<Record<string, unknown>>;
  readonly message: Readonly<Record<string, unknown>>;
};
/**
 * The settings of a network for `keystead_setChain`. `entryPointVersion` is one of 0.6, 0.7, 0.8 and 0.9.
 *
 * @example
 * import { type ChainSettings } from 'keystead/provider';
 *
 * const sepolia: ChainSettings = { chainId: 'eip155:11155111', rpcUrl: 'https://node.example' };
 */
export type ChainSettings = {
  /** A CAIP-2 id (`eip155:<decimal>`), or a hex quantity. */
  readonly chainId: string;
  readonly rpcUrl: string;
  /** Needed to send from smart accounts. */
  readonly bundlerUrl?: string;
  readonly entryPoint?: Hex;
  readonly entryPointVersion?: string;
  readonly factory?: Hex;
  /** A paymaster service (ERC-7677), and the context that it gets with every request. */
  readonly paymasterUrl?: string;
  readonly paymasterContext?: Readonly<Record<string, unknown>>;
  readonly name?: string;
  readonly symbol?: string;
  readonly explorerUrl?: string;
};
