import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';

import { concatBytes, fromHex, type Hex } from '../eth/bytes';
import { type AbiItem, addressItem, bytes32Item, uintItem } from './abi';
import { hashed, hashOf, structDigest, textHash } from './eip712';
import { type EntryPointVersion } from './entry-points';
import {
  splitPaymasterAndData,
  paymasterSignatureBytes,
  PAYMASTER_SIGNATURE_MAGIC,
  splitInitCode,
} from './packed-fields';
import { type UserOperation } from './user-operation';

/** What `PACKED_USEROP_TYPEHASH` of EntryPoint is the hash of. */
export const OPERATION_TYPE =
  'PackedUserOperation(address sender,uint256 nonce,bytes initCode,bytes callData,bytes32 accountGasLimits,uint256 preVerificationGas,bytes32 gasFees,bytes paymasterAndData)';

/** Two numbers of 16 bytes in one word, the first one high. Neither is above 2^120-1. */
const packed = (high: bigint, low: bigint): AbiItem => uintItem((high << 128n) | low);

/** The fields that every hash of an operation begins with. */
export const firstFields = (op: UserOperation): AbiItem[] => [
  addressItem(op.sender),
  uintItem(op.nonce),
  hashOf(op.initCode),
  hashOf(op.callData),
];

/** The operation's fields without the signature, as 0.6 hashes them. */
const unpackedFields = (op: UserOperation): AbiItem[] => [
  ...firstFields(op),
  uintItem(op.callGasLimit),
  uintItem(op.verificationGasLimit),
  uintItem(op.preVerificationGas),
  uintItem(op.maxFeePerGas),
  uintItem(op.maxPriorityFeePerGas),
  hashOf(op.paymasterAndData),
];

/** The same as 0.7 and later pack and hash them: verification gas before call gas, priority fee before the maximum. */
const packedFields = (op: UserOperation, paymasterAndData: AbiItem): AbiItem[] => [
  ...firstFields(op),
  packed(op.verificationGasLimit, op.callGasLimit),
  uintItem(op.preVerificationGas),
  packed(op.maxPriorityFeePerGas, op.maxFeePerGas),
  paymasterAndData,
];

/** 0.9 leaves the paymaster's own signature out, so that it can be added after the account has signed. */
function hashOfUnsignedPaymasterData(paymasterAndData: Hex): AbiItem {
  const signatureBytes = paymasterSignatureBytes(paymasterAndData);
  if (signatureBytes === 0) return hashOf(paymasterAndData);
  const bytes = fromHex(paymasterAndData);
  return bytes32Item(
    keccak256(
      concatBytes(bytes.subarray(0, bytes.length - 10 - signatureBytes), fromHex(`0x${PAYMASTER_SIGNATURE_MAGIC}`)),
    ),
  );
}

function eip712Digest(fields: readonly AbiItem[], entryPoint: Hex, chainId: bigint): Uint8Array {
  const domain = ['EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)', 'ERC4337', '1'];
  return structDigest(
    [...domain.map(textHash), uintItem(chainId), addressItem(entryPoint)],
    [textHash(OPERATION_TYPE), ...fields],
  );
}

/** Where an operation is valid: its hash is of this chain and this entry point only. */
export type OperationPlace = {
  readonly version: EntryPointVersion;
  readonly entryPoint: Hex;
  readonly chainId: bigint;
};

/**
 * The hash of a user operation, as `EntryPoint.getUserOpHash` of the version computes it (ERC-4337). The
 * signature is not part of it.
 *
 * @returns 32 bytes.
 * @throws {InvalidParamsError} If `initCode` or `paymasterAndData` is none that the entry point could take apart.
 */
export function userOperationHash(
  operation: UserOperation,
  { version, entryPoint, chainId }: OperationPlace,
): Uint8Array {
  splitInitCode(operation.initCode);
  splitPaymasterAndData(operation.paymasterAndData, version);
  const place = [addressItem(entryPoint), uintItem(chainId)];
  switch (version) {
    case '0.6':
      return hashed([bytes32Item(hashed(unpackedFields(operation))), ...place]);
    case '0.7':
      return hashed([bytes32Item(hashed(packedFields(operation, hashOf(operation.paymasterAndData)))), ...place]);
    case '0.8':
      return eip712Digest(packedFields(operation, hashOf(operation.paymasterAndData)), entryPoint, chainId);
    case '0.9':
      return eip712Digest(
        packedFields(operation, hashOfUnsignedPaymasterData(operation.paymasterAndData)),
        entryPoint,
        chainId,
      );
  }
}
