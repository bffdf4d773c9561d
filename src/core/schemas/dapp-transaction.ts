import { type Hex } from '../eth/bytes';
import { type AccessList, type Transaction } from '../eth/transaction';
import { AddressStruct } from './address';
import { BytesStruct, Uint256Struct } from '../structs/hex';
import { HexChainStruct } from './chain';
import { AccessListStruct, TRANSACTION_TYPES, TransactionTypeStruct } from './transaction';
import { exactOptional, type Infer, nullable, object, optional, refine, tuple, union, wrong } from '../structs/struct';

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

export const SendTransactionStruct = tuple([DappTransactionStruct]);

/**
 * A transaction as a dapp requests it. Undefined fields are filled in before it is signed. Amounts are in wei, prices
 * in wei per gas.
 */
export type DappTransaction = {
  readonly from: Hex;
  readonly type: Transaction['type'] | undefined;
  readonly chainId: bigint | undefined;
  readonly nonce: bigint | undefined;
  /** gas */
  readonly gasLimit: bigint | undefined;
  readonly gasPrice: bigint | undefined;
  readonly maxFeePerGas: bigint | undefined;
  readonly maxPriorityFeePerGas: bigint | undefined;
  readonly accessList: AccessList | undefined;
  /** null: create a contract */
  readonly to: Hex | null;
  readonly value: bigint;
  readonly data: Hex;
};

const toBigInt = (quantity: Hex | undefined): bigint | undefined =>
  quantity === undefined ? undefined : BigInt(quantity);

/** @returns The transaction with bigint quantities, with one name for each field. */
export const toDappTransaction = (json: Infer<typeof DappTransactionStruct>): DappTransaction => ({
  from: json.from,
  type: json.type && TRANSACTION_TYPES[json.type],
  chainId: toBigInt(json.chainId),
  nonce: toBigInt(json.nonce),
  gasLimit: toBigInt(json.gas ?? json.gasLimit),
  gasPrice: toBigInt(json.gasPrice),
  maxFeePerGas: toBigInt(json.maxFeePerGas),
  maxPriorityFeePerGas: toBigInt(json.maxPriorityFeePerGas),
  accessList: json.accessList,
  to: json.to ?? null,
  value: BigInt(json.value ?? 0),
  data: json.data ?? json.input ?? '0x',
});
