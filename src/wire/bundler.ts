import { MAX_GAS_VALUE } from '../erc4337/user-operation';
import { AddressStruct } from './address';
import {
  BytesStruct,
  bytesStruct,
  quantityAnswerStruct,
  quantityStruct,
  QuantityAnswerStruct,
  Uint256Struct,
} from './hex';
import { LogStruct } from './receipt';
import { array, boolean, nullable, optional, type, union } from './struct';

/** `eth_supportedEntryPoints` (ERC-7769). */
export const EntryPointsStruct = array(AddressStruct);

/** The answer of `eth_sendUserOperation`. */
export const UserOperationHashStruct = bytesStruct(32);

/** Gas as an entry point takes it: more is AA94. */
const GasAnswerStruct = quantityAnswerStruct(MAX_GAS_VALUE, '2^120-1');

/** The answer of `eth_estimateUserOperationGas`. Older bundlers say `verificationGas`. */
export const GasEstimateStruct = type({
  callGasLimit: GasAnswerStruct,
  preVerificationGas: GasAnswerStruct,
  verificationGasLimit: optional(nullable(GasAnswerStruct)),
  verificationGas: optional(nullable(GasAnswerStruct)),
  paymasterVerificationGasLimit: optional(nullable(GasAnswerStruct)),
});

/** The answer of `eth_getUserOperationReceipt`, as far as it is read; null until the operation is included. */
export const UserOperationReceiptStruct = nullable(
  type({
    userOpHash: bytesStruct(32),
    sender: AddressStruct,
    nonce: QuantityAnswerStruct,
    success: boolean(),
    actualGasUsed: QuantityAnswerStruct,
    actualGasCost: QuantityAnswerStruct,
    /** Of this operation only. */
    logs: optional(nullable(array(LogStruct))),
    receipt: type({
      transactionHash: bytesStruct(32),
      blockNumber: QuantityAnswerStruct,
      blockHash: optional(nullable(bytesStruct(32))),
      gasUsed: optional(nullable(QuantityAnswerStruct)),
    }),
  }),
);

const commonFields = {
  sender: AddressStruct,
  nonce: Uint256Struct,
  callData: BytesStruct,
  callGasLimit: Uint256Struct,
  verificationGasLimit: Uint256Struct,
  preVerificationGas: Uint256Struct,
  maxFeePerGas: Uint256Struct,
  maxPriorityFeePerGas: Uint256Struct,
  signature: BytesStruct,
};

const Uint128Struct = quantityStruct((1n << 128n) - 1n, '2^128-1');

/** A user operation in a bundler's answer: the form of 0.6, or that of later versions (ERC-7769). */
const RpcUserOperationStruct = union([
  type({ ...commonFields, initCode: BytesStruct, paymasterAndData: BytesStruct }),
  type({
    ...commonFields,
    factory: optional(nullable(AddressStruct)),
    factoryData: optional(nullable(BytesStruct)),
    paymaster: optional(nullable(AddressStruct)),
    paymasterVerificationGasLimit: optional(nullable(Uint128Struct)),
    paymasterPostOpGasLimit: optional(nullable(Uint128Struct)),
    paymasterData: optional(nullable(BytesStruct)),
    paymasterSignature: optional(nullable(BytesStruct)),
  }),
]);

/** The answer of `eth_getUserOperationByHash`, as far as it is read; null for an unknown operation. */
export const UserOperationByHashStruct = nullable(
  type({
    userOperation: RpcUserOperationStruct,
    entryPoint: AddressStruct,
    /** null while the operation waits. */
    transactionHash: optional(nullable(bytesStruct(32))),
  }),
);
