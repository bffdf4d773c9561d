import { AddressStruct } from './address';
import { BytesStruct, bytesStruct, QuantityAnswerStruct, quantityStruct, Uint256Struct } from '../structs/hex';
import { LogStruct } from './receipt';
import { array, boolean, enums, nullable, optional, refine, type, union, wrong } from '../structs/struct';

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

/** Entry point 0.9 stores the length of the signature in two bytes. */
const PaymasterSignatureStruct = refine(BytesStruct, ({ length }) =>
  length > 2 + 2 * 0xffff ? wrong('must be at most 65535 bytes') : undefined,
);

const Uint128Struct = quantityStruct((1n << 128n) - 1n, '2^128-1');

/** A user operation in a bundler's response, in the form of 0.6 or of later versions (ERC-7769). */
const RpcUserOperationStruct = union([
  type({ ...commonFields, initCode: BytesStruct, paymasterAndData: BytesStruct }),
  type({
    ...commonFields,
    /** A delegation (EIP-7702) instead of a factory has two bytes (ERC-7769). */
    factory: optional(nullable(union([AddressStruct, enums(['0x7702'])], 'must be an address, or 0x7702'))),
    factoryData: optional(nullable(BytesStruct)),
    paymaster: optional(nullable(AddressStruct)),
    paymasterVerificationGasLimit: optional(nullable(Uint128Struct)),
    paymasterPostOpGasLimit: optional(nullable(Uint128Struct)),
    paymasterData: optional(nullable(BytesStruct)),
    paymasterSignature: optional(nullable(PaymasterSignatureStruct)),
  }),
]);

/** The fields used from the result of `eth_getUserOperationByHash`, which is null for an unknown operation. */
export const UserOperationByHashStruct = nullable(
  type({
    userOperation: RpcUserOperationStruct,
    entryPoint: AddressStruct,
    /** null while the operation is pending. */
    transactionHash: optional(nullable(bytesStruct(32))),
  }),
);

/** The fields used from the result of `eth_getUserOperationReceipt`, which is null until the operation is included. */
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
