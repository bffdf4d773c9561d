import {
  array,
  exactOptional,
  type Infer,
  nullable,
  object,
  optional,
  refine,
  tuple,
  unknown,
} from '@metamask/superstruct';

import { AddressStruct } from './address';
import { BytesStruct, Uint256Struct } from './hex';
import { HexChainStruct } from './calls';
import { rule } from './struct';

const TypeStruct = rule<'0x0' | '0x1' | '0x2'>(
  'type',
  'must be 0x0 (legacy), 0x1 (EIP-2930) or 0x2 (EIP-1559)',
  (value) => value === '0x0' || value === '0x1' || value === '0x2',
);

/**
 * The parameter of `eth_sendTransaction` (Ethereum JSON-RPC). What is left out is filled in; `data` may also
 * be called `input`, and `gas` `gasLimit`, as libraries do.
 */
export const DappTransactionStruct = refine(
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
    accessList: exactOptional(array(unknown())),
  }),
  'transaction',
  function* ({ data, input, gas, gasLimit, gasPrice, maxFeePerGas, maxPriorityFeePerGas, type, accessList }, { path }) {
    const failAt = (field: string, message: string) => ({ message, path: [...path, field] });
    if (data !== undefined && input !== undefined && data.toLowerCase() !== input.toLowerCase())
      yield failAt('input', 'must be the same as data, or left out');
    if (gas !== undefined && gasLimit !== undefined && gas !== gasLimit)
      yield failAt('gasLimit', 'must be the same as gas, or left out');
    const dynamic = maxFeePerGas !== undefined || maxPriorityFeePerGas !== undefined;
    if (gasPrice !== undefined && (dynamic || type === '0x2'))
      yield failAt('gasPrice', 'must be left out of a transaction with the fees of EIP-1559');
    if (dynamic && (type === '0x0' || type === '0x1'))
      yield failAt('type', 'must be 0x2 with maxFeePerGas or maxPriorityFeePerGas');
    if (accessList !== undefined && type === '0x0')
      yield failAt('accessList', 'must be left out of a legacy transaction');
  },
);
export type DappTransaction = Infer<typeof DappTransactionStruct>;

export const SendTransactionStruct = tuple([DappTransactionStruct]);
