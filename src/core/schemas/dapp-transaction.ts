import { AddressStruct } from './address';
import { BytesStruct, Uint256Struct } from './hex';
import { HexChainStruct } from './chain';
import { AccessListStruct, TransactionTypeStruct } from './transaction';
import { exactOptional, type Infer, nullable, object, optional, refine, tuple, union, wrong } from './struct';

const TypeStruct = union([TransactionTypeStruct], 'must be 0x0 (legacy), 0x1 (EIP-2930) or 0x2 (EIP-1559)');

/**
 * The parameter of `eth_sendTransaction` (Ethereum JSON-RPC). Omitted fields are filled in. As in common libraries,
 * `data` may be named `input`, and `gas` may be named `gasLimit`.
 */
const DappTransactionStruct = refine(
  object({
    from: AddressStruct,
    to: optional(nullable(AddressStruct)),
    value: optional(Uint256Struct),
    data: optional(BytesStruct),
    input: optional(BytesStruct),
    gas: optional(Uint256Struct),
    gasLimit: optional(Uint256Struct),
    gasPrice: optional(Uint256Struct),
    maxFeePerGas: optional(Uint256Struct),
    maxPriorityFeePerGas: optional(Uint256Struct),
    nonce: optional(Uint256Struct),
    chainId: optional(HexChainStruct),
    type: optional(TypeStruct),
    accessList: exactOptional(AccessListStruct),
  }),
  ({ data, input, gas, gasLimit, gasPrice, maxFeePerGas, maxPriorityFeePerGas, type, accessList }) => {
    if (data !== undefined && input !== undefined && data.toLowerCase() !== input.toLowerCase())
      return wrong('must equal data, or be omitted', 'input');
    if (gas !== undefined && gasLimit !== undefined && BigInt(gas) !== BigInt(gasLimit))
      return wrong('must equal gas, or be omitted', 'gasLimit');
    const dynamic = maxFeePerGas !== undefined || maxPriorityFeePerGas !== undefined;
    if (gasPrice !== undefined && (dynamic || type === '0x2'))
      return wrong('must be omitted from an EIP-1559 transaction', 'gasPrice');
    if (dynamic && (type === '0x0' || type === '0x1'))
      return wrong('must be 0x2 if maxFeePerGas or maxPriorityFeePerGas is set', 'type');
    if (accessList !== undefined && type === '0x0')
      return wrong('must be omitted from a legacy transaction', 'accessList');
    return undefined;
  },
);

/**
 * A transaction as a site requests it with `eth_sendTransaction`. Quantities are hex, `value` and fees in wei.
 *
 * @example
 * ```ts
 * const deposit: DappTransaction = {
 *   from: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
 *   to: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2', // WETH
 *   value: '0xde0b6b3a7640000', // 1 ETH
 *   data: '0xd0e30db0' };
 * SendTransactionStruct.is([deposit]); // => true
 * ```
 */
export type DappTransaction = Infer<typeof DappTransactionStruct>;

/**
 * @example
 * ```ts
 * import { parse } from './struct';
 * const from = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
 * const to = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';
 * SendTransactionStruct.is([{ from, to, value: '0xde0b6b3a7640000', data: '0xd0e30db0' }]); // => true
 * const fees = { gasPrice: '0x3b9aca00', maxFeePerGas: '0x3b9aca00' };
 * parse(SendTransactionStruct, [{ from, to, ...fees }], 'params', ['transaction']); // throws transaction.gasPrice:
 * ```
 */
export const SendTransactionStruct = tuple([DappTransactionStruct]);
