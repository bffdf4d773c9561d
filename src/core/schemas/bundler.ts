import { MAX_GAS_VALUE } from '../erc4337/user-operation';
import { AddressStruct } from './address';
import { bytesStruct, quantityAnswerStruct } from '../structs/hex';
import { array, nullable, optional, type } from '../structs/struct';

/** `eth_supportedEntryPoints` (ERC-7769). */
export const EntryPointsStruct = array(AddressStruct);

/** The result of `eth_sendUserOperation`. */
export const UserOperationHashStruct = bytesStruct(32);

/** A gas limit that stays below the entry point's maximum of 2^120-1 (AA94) even with a margin of a fifth. */
const GasAnswerStruct = quantityAnswerStruct(MAX_GAS_VALUE / 2n, '2^119-1');

/** The result of `eth_estimateUserOperationGas`. Older bundlers name the second limit `verificationGas`. */
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
 */
export const GasPriceStruct = type({
  standard: type({ maxFeePerGas: FeeAnswerStruct, maxPriorityFeePerGas: FeeAnswerStruct }),
});

/**
 * The field that the snap uses from the result of `eth_getUserOperationReceipt`: the transaction, which it looks up
 * itself.
 */
export const NamedTransactionStruct = nullable(type({ receipt: type({ transactionHash: bytesStruct(32) }) }));
