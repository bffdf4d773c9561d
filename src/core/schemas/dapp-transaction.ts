import { AddressStruct } from './address';
import { BytesStruct, Uint256Struct } from './hex';
import { HexChainStruct } from './chain';
import { AccessListStruct, TransactionTypeStruct } from './transaction';
import { exactOptional, type Infer, nullable, object, optional, refine, tuple, union, wrong } from './struct';

const TypeStruct = union([TransactionTypeStruct], 'must be 0x0 (legacy), 0x1 (EIP-2930) or 0x2 (EIP-1559)');

/**
 * The parameter of `eth_sendTransaction` (Ethereum JSON-RPC). What is left out is filled in; `data` may also
 * be called `input`, and `gas` `gasLimit`, as libraries do.
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
      return wrong('must be the same as data, or left out', 'input');
    if (gas !== undefined && gasLimit !== undefined && BigInt(gas) !== BigInt(gasLimit))
      return wrong('must be the same as gas, or left out', 'gasLimit');
    const dynamic = maxFeePerGas !== undefined || maxPriorityFeePerGas !== undefined;
    if (gasPrice !== undefined && (dynamic || type === '0x2'))
      return wrong('must be left out of a transaction with the fees of EIP-1559', 'gasPrice');
    if (dynamic && (type === '0x0' || type === '0x1'))
      return wrong('must be 0x2 with maxFeePerGas or maxPriorityFeePerGas', 'type');
    if (accessList !== undefined && type === '0x0')
      return wrong('must be left out of a legacy transaction', 'accessList');
    return undefined;
  },
);
export type DappTransaction = Infer<typeof DappTransactionStruct>;

export const SendTransactionStruct = tuple([DappTransactionStruct]);
