import { AddressStruct } from './address';
import { BytesStruct, QuantityAnswerStruct } from './hex';
import { array, nullable, optional, type, unknown } from './struct';

/**
 * The fields of a mined transaction that identify what it did. Some networks have transactions without them.
 *
 * @example
 * ```ts
 * const from = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
 * MinedTransactionStruct.is({ from, to: null, value: '0x0', input: '0x6001' }); // => true
 * MinedTransactionStruct.is({ from, to: null, value: '0x0' }); // => false
 * ```
 */
export const MinedTransactionStruct = type({
  from: AddressStruct,
  to: optional(nullable(AddressStruct)),
  value: QuantityAnswerStruct,
  input: BytesStruct,
});

/**
 * The result of `eth_getBlockByNumber` with whole transactions, each of which has to be checked by itself.
 *
 * @example
 * ```ts
 * MinedBlockStruct.is({ number: '0x10', transactions: [] }); // => true
 * MinedBlockStruct.is(null); // => false
 * ```
 */
export const MinedBlockStruct = type({ transactions: array(unknown()) });
