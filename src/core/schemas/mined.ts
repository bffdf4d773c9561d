import { AddressStruct } from './address';
import { BytesStruct, QuantityAnswerStruct } from './hex';
import { array, nullable, optional, type, unknown } from './struct';

/** The fields of a mined transaction that identify what it did. Some networks have transactions without them. */
export const MinedTransactionStruct = type({
  from: AddressStruct,
  to: optional(nullable(AddressStruct)),
  value: QuantityAnswerStruct,
  input: BytesStruct,
});

/** The result of `eth_getBlockByNumber` with whole transactions, each of which has to be checked by itself. */
export const MinedBlockStruct = type({ transactions: array(unknown()) });
