import { concat, numberToHex } from 'viem/utils';

import { type Hex, quantityToHex } from '../eth/bytes';
import { type EntryPointVersion } from './entry-points';
import { joinPaymasterAndData, splitInitCode, splitPaymasterAndData } from './packed-fields';
import { type Quantities, quantitiesOf, type UserOperation } from './user-operation';

/** The fields that every version's RPC form shares. */
type CommonFields = Quantities<Hex> & {
  readonly sender: Hex;
  readonly callData: Hex;
  readonly signature: Hex;
};

/** The authorization that delegates the sender (ERC-7769). */
type AuthorizationField = {
  readonly eip7702Auth?: Readonly<Record<'chainId' | 'address' | 'nonce' | 'yParity' | 'r' | 's', Hex>>;
};

type Bytes06 = { readonly initCode: Hex; readonly paymasterAndData: Hex };

/** The fields that replace the two packed fields in the RPC form of 0.7 and later (ERC-7769). */
type Fields07 = {
  readonly factory?: Hex;
  readonly factoryData?: Hex;
  readonly paymaster?: Hex;
  readonly paymasterVerificationGasLimit?: Hex;
  readonly paymasterPostOpGasLimit?: Hex;
  readonly paymasterData?: Hex;
  readonly paymasterSignature?: Hex;
};

/**
 * A user operation in the JSON form of bundlers and paymaster services (ERC-7769). The shape depends on the version.
 */
export type RpcUserOperation = CommonFields & (Bytes06 | Fields07);

/**
 * Unpacks the two packed fields for the RPC form of 0.7 and later. Absent parts are omitted.
 *
 * @throws {InvalidParamsError} If a field is too short to split.
 */
export const unpackedFields = (
  { initCode, paymasterAndData }: Bytes06,
  version: Exclude<EntryPointVersion, '0.6'>,
): Fields07 => {
  const paymaster = splitPaymasterAndData(paymasterAndData, version);
  return {
    ...splitInitCode(initCode),
    ...(paymaster && {
      ...paymaster,
      paymasterVerificationGasLimit: quantityToHex(paymaster.paymasterVerificationGasLimit),
      paymasterPostOpGasLimit: quantityToHex(paymaster.paymasterPostOpGasLimit),
    }),
  };
};

const authorizationField = ({ authorization }: UserOperation): AuthorizationField =>
  authorization === undefined
    ? {}
    : {
        eip7702Auth: {
          chainId: quantityToHex(authorization.chainId),
          address: authorization.address,
          nonce: quantityToHex(authorization.nonce),
          yParity: quantityToHex(BigInt(authorization.yParity)),
          r: numberToHex(authorization.r, { size: 32 }),
          s: numberToHex(authorization.s, { size: 32 }),
        },
      };

/**
 * Converts a user operation to the JSON form of bundlers for a version.
 *
 * @throws {InvalidParamsError} If a packed field is too short to split.
 */
export function toRpcForm(operation: UserOperation, version: EntryPointVersion): RpcUserOperation & AuthorizationField {
  const { sender, callData, signature, initCode, paymasterAndData } = operation;
  const packed = { initCode, paymasterAndData };
  return {
    sender,
    callData,
    signature,
    ...quantitiesOf(operation, quantityToHex),
    ...(version === '0.6' ? packed : unpackedFields(packed, version)),
    ...authorizationField(operation),
  };
}

function packedBytes(rpc: Fields07): Bytes06 {
  const { factory, factoryData, paymaster, paymasterData, paymasterSignature } = rpc;
  return {
    initCode: factory === undefined ? '0x' : concat([factory, factoryData ?? '0x']),
    paymasterAndData:
      paymaster === undefined
        ? '0x'
        : joinPaymasterAndData({
            paymaster,
            paymasterVerificationGasLimit: BigInt(rpc.paymasterVerificationGasLimit ?? 0),
            paymasterPostOpGasLimit: BigInt(rpc.paymasterPostOpGasLimit ?? 0),
            paymasterData: paymasterData ?? '0x',
            ...(paymasterSignature !== undefined && { paymasterSignature }),
          }),
  };
}

/** The inverse of {@link toRpcForm}. The fields show which of the two shapes it is. */
export function fromRpcForm(rpc: RpcUserOperation): UserOperation {
  const { sender, callData, signature } = rpc;
  const { initCode, paymasterAndData } = 'initCode' in rpc ? rpc : packedBytes(rpc);
  return { sender, initCode, callData, ...quantitiesOf(rpc, BigInt), paymasterAndData, signature };
}
