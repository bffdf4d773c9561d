import { type AnyStruct, dynamic } from '@metamask/superstruct';

import { InvalidParamsError, pathText } from '../errors';
import { type Transaction } from '../eth/transaction';
import { MAX_UINT256 } from '../eth/units';
import { AddressStruct } from './address';
import { AuthorizationListStruct, faultInAuthorizations, toAuthorizations } from './authorization';
import { ChainIdStruct } from './chain';
import { BytesStruct, bytesStruct, quantityRule, quantityStruct, Uint256Struct } from '../structs/hex';
import {
  array,
  enums,
  exactOptional,
  type Fault,
  type Infer,
  literal,
  nullable,
  object,
  refine,
  type Struct,
  type,
  wrong,
} from '../structs/struct';

/** The access list of EIP-2930. */
export const AccessListStruct = array(object({ address: AddressStruct, storageKeys: array(bytesStruct(32)) }));

const UINT256 = { most: MAX_UINT256, limit: '2^256-1' };
/** The maximum of each quantity, and how error messages write it. */
const LIMITS = {
  /** A nonce of 2^64-1 can never be used (EIP-2681). */
  nonce: { most: (1n << 64n) - 2n, limit: '2^64-2' },
  gasLimit: { most: (1n << 64n) - 1n, limit: '2^64-1' },
  gasPrice: UINT256,
  maxPriorityFeePerGas: UINT256,
  maxFeePerGas: UINT256,
};

const common = {
  nonce: quantityStruct(LIMITS.nonce.most, LIMITS.nonce.limit),
  /** null creates a contract. MetaMask omits the field instead. */
  to: exactOptional(nullable(AddressStruct)),
  from: AddressStruct,
  value: Uint256Struct,
  data: BytesStruct,
  gasLimit: quantityStruct(LIMITS.gasLimit.most, LIMITS.gasLimit.limit),
  chainId: ChainIdStruct,
  /** A previous signature, which MetaMask's library includes. It is not signed. */
  v: exactOptional(Uint256Struct),
  r: exactOptional(Uint256Struct),
  s: exactOptional(Uint256Struct),
};

const LegacyStruct = object({ type: literal('0x0'), ...common, gasPrice: Uint256Struct });
const Eip2930Struct = object({
  type: literal('0x1'),
  ...common,
  gasPrice: Uint256Struct,
  accessList: exactOptional(AccessListStruct),
});
const Eip1559Struct = object({
  type: literal('0x2'),
  ...common,
  maxPriorityFeePerGas: Uint256Struct,
  maxFeePerGas: Uint256Struct,
  accessList: exactOptional(AccessListStruct),
});
const Eip7702Struct = object({
  type: literal('0x4'),
  ...common,
  /** It cannot create a contract. */
  to: AddressStruct,
  maxPriorityFeePerGas: Uint256Struct,
  maxFeePerGas: Uint256Struct,
  accessList: exactOptional(AccessListStruct),
  authorizationList: AuthorizationListStruct,
});

type TransactionJson =
  | Infer<typeof LegacyStruct>
  | Infer<typeof Eip2930Struct>
  | Infer<typeof Eip1559Struct>
  | Infer<typeof Eip7702Struct>;

const BY_TYPE = { '0x0': LegacyStruct, '0x1': Eip2930Struct, '0x2': Eip1559Struct, '0x4': Eip7702Struct };

/** Legacy, EIP-2930 or EIP-1559: the types that a dapp can have sent. */
export const TransactionTypeStruct = enums(['0x0', '0x1', '0x2']);

/** The names of transaction types by number. */
export const TRANSACTION_TYPES = { '0x0': 'legacy', '0x1': 'eip2930', '0x2': 'eip1559' } as const;

/** Validates only the type, so that other errors come from the struct of that type. */
const TypeStruct = type({ type: enums(['0x0', '0x1', '0x2', '0x4']) });

const OneOfFourStruct: Struct<TransactionJson> = dynamic((value): AnyStruct =>
  TypeStruct.is(value) ? BY_TYPE[value.type] : TypeStruct,
);

/** @returns The transaction with bigint quantities, ready to be encoded. */
export function toTransaction(json: TransactionJson): Transaction {
  const fields = {
    chainId: BigInt(json.chainId),
    nonce: BigInt(json.nonce),
    gasLimit: BigInt(json.gasLimit),
    to: json.to ?? null,
    value: BigInt(json.value),
    data: json.data,
  };
  if (json.type === '0x0') return { ...fields, type: 'legacy', gasPrice: BigInt(json.gasPrice) };
  const accessList = json.accessList ?? [];
  if (json.type === '0x1') return { ...fields, type: 'eip2930', gasPrice: BigInt(json.gasPrice), accessList };
  const fees = { maxPriorityFeePerGas: BigInt(json.maxPriorityFeePerGas), maxFeePerGas: BigInt(json.maxFeePerGas) };
  if (json.type === '0x2') return { ...fields, type: 'eip1559', ...fees, accessList };
  const authorizationList = toAuthorizations(json.authorizationList);
  return { ...fields, to: json.to, type: 'eip7702', ...fees, accessList, authorizationList };
}

/** A quantity of a transaction, by its name. */
type Quantity = readonly [keyof typeof LIMITS, bigint];

/** The first rule that a transaction breaks, if it could never be included. */
function faultInTransaction(tx: Transaction): Fault | undefined {
  const fees: Quantity[] =
    'maxFeePerGas' in tx
      ? [
          ['maxPriorityFeePerGas', tx.maxPriorityFeePerGas],
          ['maxFeePerGas', tx.maxFeePerGas],
        ]
      : [['gasPrice', tx.gasPrice]];
  const quantities: Quantity[] = [['nonce', tx.nonce], ['gasLimit', tx.gasLimit], ...fees];
  const excess = quantities.find(([name, quantity]) => quantity > LIMITS[name].most)?.[0];
  if (excess !== undefined) return wrong(quantityRule(LIMITS[excess].limit), excess);
  if (tx.chainId === 0n) return wrong('must not be zero: the signature would be valid on every chain', 'chainId');
  const price = 'maxFeePerGas' in tx ? tx.maxFeePerGas : tx.gasPrice;
  const priceField = 'maxFeePerGas' in tx ? 'maxFeePerGas' : 'gasPrice';
  if (tx.gasLimit * price > MAX_UINT256) return wrong('must keep the product with gasLimit below 2^256', priceField);
  if ('maxFeePerGas' in tx && tx.maxPriorityFeePerGas > tx.maxFeePerGas)
    return wrong('must not be above maxFeePerGas', 'maxPriorityFeePerGas');
  if (tx.type !== 'eip7702') return undefined;
  const fault = faultInAuthorizations(tx.authorizationList, tx.chainId);
  return fault && wrong(fault.rule, 'authorizationList', ...fault.path);
}

/**
 * Applies the rules of {@link TransactionStruct} to a transaction whose missing fields were filled in.
 *
 * @throws {InvalidParamsError} If the transaction could never be included; names the field of `transaction`.
 */
export function assertIncludable(tx: Transaction): void {
  const fault = faultInTransaction(tx);
  if (fault !== undefined) throw new InvalidParamsError(pathText('transaction', fault.path), fault.rule);
}

/**
 * The transaction object (specification 2.1): legacy, EIP-2930, EIP-1559 or EIP-7702, with exactly the fee fields of
 * its type. Transactions that could never be included are rejected.
 */
export const TransactionStruct = refine(OneOfFourStruct, (json) => faultInTransaction(toTransaction(json)));
