import { MAX_GAS_VALUE } from '../erc4337/user-operation';
import { AddressStruct } from './address';
import { bytesStruct, quantityAnswerStruct, QuantityAnswerStruct } from './hex';
import { LogStruct } from './receipt';
import { array, boolean, nullable, optional, type } from './struct';

/**
 * `eth_supportedEntryPoints` (ERC-7769).
 *
 * @example
 * ```ts
 * EntryPointsStruct.is(['0x0000000071727De22E5E9d8BAf0edAc6f37da032']); // => true
 * EntryPointsStruct.is(['0.7']); // => false
 * ```
 */
export const EntryPointsStruct = array(AddressStruct);

/**
 * The result of `eth_sendUserOperation`.
 *
 * @example
 * ```ts
 * const hash = '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060';
 * UserOperationHashStruct.is(hash); // => true
 * UserOperationHashStruct.is(hash.slice(0, 42)); // => false
 * ```
 */
export const UserOperationHashStruct = bytesStruct(32);

/** A gas limit that stays below the entry point's maximum of 2^120-1 (AA94) even with a margin of a fifth. */
const GasAnswerStruct = quantityAnswerStruct(MAX_GAS_VALUE / 2n, '2^119-1');

/**
 * The result of `eth_estimateUserOperationGas`. Older bundlers name the second limit `verificationGas`.
 *
 * @example
 * ```ts
 * const estimate = { callGasLimit: '0x13880', verificationGasLimit: '0x186a0', preVerificationGas: '0xb71b' };
 * GasEstimateStruct.is(estimate); // => true
 * GasEstimateStruct.is({ ...estimate, callGasLimit: -1 }); // => false
 * ```
 */
export const GasEstimateStruct = type({
  callGasLimit: GasAnswerStruct,
  preVerificationGas: GasAnswerStruct,
  verificationGasLimit: optional(nullable(GasAnswerStruct)),
  verificationGas: optional(nullable(GasAnswerStruct)),
  paymasterVerificationGasLimit: optional(nullable(GasAnswerStruct)),
});

/** A fee per gas of an operation, up to the entry point's maximum (AA94). */
const FeeAnswerStruct = quantityAnswerStruct(MAX_GAS_VALUE, '2^120-1');

/**
 * The field used from the result of `pimlico_getUserOperationGasPrice`: what the bundler accepts now, in wei per gas.
 *
 * @example
 * ```ts
 * const standard = { maxFeePerGas: '0x3b9aca00', maxPriorityFeePerGas: '0x1' };
 * GasPriceStruct.is({ slow: standard, standard, fast: standard }); // => true
 * GasPriceStruct.is({ standard: { maxFeePerGas: '0x3b9aca00' } }); // => false
 * ```
 */
export const GasPriceStruct = type({
  standard: type({ maxFeePerGas: FeeAnswerStruct, maxPriorityFeePerGas: FeeAnswerStruct }),
});

/**
 * The fields used from the result of `eth_getUserOperationReceipt`, which is null until the operation is included.
 *
 * @example
 * ```ts
 * import { parse } from './struct';
 * UserOperationReceiptStruct.is(null); // => true
 * parse(UserOperationReceiptStruct, { userOpHash: '0x5c50' }, 'receipt'); // throws receipt.userOpHash:
 * ```
 */
export const UserOperationReceiptStruct = nullable(
  type({
    userOpHash: bytesStruct(32),
    sender: AddressStruct,
    nonce: QuantityAnswerStruct,
    success: boolean(),
    actualGasUsed: QuantityAnswerStruct,
    actualGasCost: QuantityAnswerStruct,
    /** The logs of this operation only. */
    logs: optional(nullable(array(LogStruct))),
    receipt: type({
      transactionHash: bytesStruct(32),
      blockNumber: QuantityAnswerStruct,
      blockHash: optional(nullable(bytesStruct(32))),
      gasUsed: optional(nullable(QuantityAnswerStruct)),
    }),
  }),
);
