import { AddressStruct } from './address';
import { BytesStruct, bytesStruct, quantityStruct, Uint256Struct } from './hex';
import { enums, nullable, optional, refine, type, union, wrong } from './struct';

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

/**
 * The fields used from the result of `eth_getUserOperationByHash`, which is null for an unknown operation.
 *
 * @example
 * ```ts
 * const userOperation = {
 *   sender: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', nonce: '0x0', initCode: '0x', callData: '0xd0e30db0',
 *   callGasLimit: '0x13880', verificationGasLimit: '0x186a0', preVerificationGas: '0xb71b', signature: '0x',
 *   maxFeePerGas: '0x6fc23ac00', maxPriorityFeePerGas: '0x3b9aca00', paymasterAndData: '0x',
 * };
 * UserOperationByHashStruct.is({ userOperation, entryPoint: '0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789' }); // => true
 * ```
 */
export const UserOperationByHashStruct = nullable(
  type({
    userOperation: RpcUserOperationStruct,
    entryPoint: AddressStruct,
    /** null while the operation is pending. */
    transactionHash: optional(nullable(bytesStruct(32))),
  }),
);
