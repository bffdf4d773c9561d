import { type Hex } from '../eth/bytes';
import { AddressStruct } from './address';
import { BytesStruct, bytesStruct, QuantityAnswerStruct, quantityAnswerStruct, Uint256Struct } from '../structs/hex';
import { array, type Infer, nullable, object, optional, type } from '../structs/struct';

const log = { address: AddressStruct, data: BytesStruct, topics: array(bytesStruct(32)) };

/** The fields of an event log that EIP-5792 returns. */
export const LogStruct = type(log);
/**
 * A log that a contract emitted: its address, its data, and up to four topics of 32 bytes.
 *
 * @example
 * ```ts
 * const transfer: Log = {
 *   address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
 *   data: '0x000000000000000000000000000000000000000000000000000000000053ec60', // 5.5 USDC
 *   topics: ['0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'] };
 * BigInt(transfer.data); // => 5_500_000n
 * ```
 */
export type Log = { address: Hex; data: Hex; topics: Hex[] };

/** The fields used from the result of `eth_getTransactionReceipt`, which is null until the transaction is included. */
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

/** The fields used from the result of `eth_getLogs`, to tell the transactions of logs. */
export const FoundLogsStruct = array(type({ ...log, transactionHash: bytesStruct(32) }));

/** The ledger keeps places of logs in so many bits. No chain comes near. */
const BlockNumberStruct = quantityAnswerStruct(2n ** 48n - 1n, '2^48-1');
const LogIndexStruct = quantityAnswerStruct(2n ** 32n - 1n, '2^32-1');

/** The fields used from the result of `eth_getLogs`, and from the logs of a receipt, to tell their places. */
export const PlacedLogsStruct = array(
  type({
    ...log,
    blockNumber: BlockNumberStruct,
    transactionHash: bytesStruct(32),
    logIndex: LogIndexStruct,
  }),
);

/** The logs of a receipt with their places. */
export const ReceiptLogsStruct = nullable(type({ logs: PlacedLogsStruct }));

/** The fields used from a block to tell its place and time. */
export const BlockPlaceStruct = nullable(
  type({ number: BlockNumberStruct, hash: bytesStruct(32), timestamp: QuantityAnswerStruct }),
);

/** The field used from a block of `eth_getBlockByNumber`: the hashes of its transactions. */
export const BlockHashesStruct = type({ transactions: array(bytesStruct(32)) });

/** A receipt in the result of `wallet_getCallsStatus` (EIP-5792): a subset of a transaction receipt. */
export const CallsReceiptStruct = object({
  logs: array(object(log)),
  /** 0x1 for success, 0x0 for failure. */
  status: Uint256Struct,
  blockHash: bytesStruct(32),
  blockNumber: Uint256Struct,
  gasUsed: Uint256Struct,
  transactionHash: bytesStruct(32),
});

/** A receipt in the result of `wallet_getCallsStatus` (EIP-5792). */
export type CallsReceipt = Infer<typeof CallsReceiptStruct>;
