import { AddressStruct } from './address';
import { BytesStruct, bytesStruct, QuantityAnswerStruct, Uint256Struct } from './hex';
import { array, type Infer, nullable, object, optional, type } from './struct';

const log = { address: AddressStruct, data: BytesStruct, topics: array(bytesStruct(32)) };

/**
 * The fields of an event log that EIP-5792 returns.
 *
 * @example
 * ```ts
 * const topics = ['0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'];
 * const address = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
 * LogStruct.is({ address, data: '0x', topics }); // => true
 * LogStruct.is({ address, data: '0x', topics: ['0xddf252ad'] }); // => false
 * ```
 */
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
 * LogStruct.is(transfer); // => true
 * ```
 */
export type Log = Infer<typeof LogStruct>;

/**
 * The fields used from the result of `eth_getTransactionReceipt`, which is null until the transaction is included.
 *
 * @example
 * ```ts
 * const transactionHash = '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060';
 * const blockHash = '0x4e3a3754410177e6937ef1f84bba68ea139e8d1a2258c5f85db9f1cd715a1bdd';
 * const receipt = { transactionHash, blockHash, blockNumber: '0xb443', gasUsed: '0x5208', logs: [] };
 * TransactionReceiptStruct.is(receipt); // => true
 * TransactionReceiptStruct.is(null); // => true
 * TransactionReceiptStruct.is({ ...receipt, blockHash: null }); // => false
 * ```
 */
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

/**
 * A receipt in the result of `wallet_getCallsStatus` (EIP-5792): a subset of a transaction receipt.
 *
 * @example
 * ```ts
 * const transactionHash = '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060';
 * const blockHash = '0x4e3a3754410177e6937ef1f84bba68ea139e8d1a2258c5f85db9f1cd715a1bdd';
 * const receipt = { transactionHash, blockHash, blockNumber: '0xb443', gasUsed: '0x5208', logs: [] };
 * CallsReceiptStruct.is({ ...receipt, status: '0x1' }); // => true
 * CallsReceiptStruct.is(receipt); // => false
 * ```
 */
export const CallsReceiptStruct = object({
  logs: array(object(log)),
  /** 0x1 for success, 0x0 for failure. */
  status: Uint256Struct,
  blockHash: bytesStruct(32),
  blockNumber: Uint256Struct,
  gasUsed: Uint256Struct,
  transactionHash: bytesStruct(32),
});

/**
 * A receipt in the result of `wallet_getCallsStatus` (EIP-5792).
 *
 * @example
 * ```ts
 * const receipt: CallsReceipt = { logs: [], status: '0x1', blockNumber: '0xb443', gasUsed: '0x5208',
 *   transactionHash: '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060',
 *   blockHash: '0x4e3a3754410177e6937ef1f84bba68ea139e8d1a2258c5f85db9f1cd715a1bdd' };
 * CallsReceiptStruct.is(receipt); // => true
 * ```
 */
export type CallsReceipt = Infer<typeof CallsReceiptStruct>;
