import { AddressStruct } from './address';
import { BytesStruct, bytesStruct, QuantityAnswerStruct, Uint256Struct } from './hex';
import { array, type Infer, nullable, object, optional, type } from './struct';

const log = { address: AddressStruct, data: BytesStruct, topics: array(bytesStruct(32)) };

/** An event, as far as EIP-5792 hands it on. */
export const LogStruct = type(log);
export type Log = Infer<typeof LogStruct>;

/** The answer of `eth_getTransactionReceipt`, as far as it is read; null until the transaction is included. */
export const TransactionReceiptStruct = nullable(
  type({
    transactionHash: bytesStruct(32),
    blockHash: bytesStruct(32),
    blockNumber: QuantityAnswerStruct,
    gasUsed: QuantityAnswerStruct,
    status: optional(nullable(QuantityAnswerStruct)),
    logs: array(LogStruct),
  }),
);

/** A receipt of `wallet_getCallsStatus` (EIP-5792): a part of a transaction's receipt. */
export const CallsReceiptStruct = object({
  logs: array(object(log)),
  /** 0x1: success. */
  status: Uint256Struct,
  blockHash: bytesStruct(32),
  blockNumber: Uint256Struct,
  gasUsed: Uint256Struct,
  transactionHash: bytesStruct(32),
});
export type CallsReceipt = Infer<typeof CallsReceiptStruct>;
