import { type Intent, MAX_GAS_VALUE, quantitiesOf, type UserOperation } from '../erc4337/user-operation';
import { AddressStruct, startsWithZeroAddress } from './address';
import { BytesStruct, quantityStruct, Uint256Struct } from '../structs/hex';
import {
  array,
  exactOptional,
  type Infer,
  nonempty,
  nullable,
  object,
  refine,
  rule,
  type Struct,
  wrong,
} from '../structs/struct';
import { type Hex, quantityToHex } from '../eth/bytes';
import { ServiceUrlStruct } from './url';

/** The transaction intent (specification 2.4). MetaMask omits `to` instead of sending null. */
const IntentStruct = object({ to: exactOptional(nullable(AddressStruct)), value: Uint256Struct, data: BytesStruct });

/** The parameters of `eth_prepareUserOperation`: one or more intents. */
export const IntentsStruct = nonempty(IntentStruct);

/** @returns The intents with bigint amounts. */
export const toIntents = (intents: Infer<typeof IntentsStruct>): Intent[] =>
  intents.map(({ to, value, data }) => ({ to: to ?? null, value: BigInt(value), data }));

/** A gas limit or fee. Entry points revert above the maximum (AA94). */
const GasStruct = quantityStruct(MAX_GAS_VALUE, '2^120-1');

/**
 * Empty, or bytes that start with an address. Entry points treat a zero paymaster address as no paymaster, so the
 * account would pay.
 */
const addressedStruct = (what: string) =>
  rule<Hex>(
    `must be 0x, or start with the 20-byte address of ${what}, not the zero address`,
    (value) => BytesStruct.is(value) && (value.length === 2 || (value.length >= 42 && !startsWithZeroAddress(value))),
  );

/**
 * The user operation (specification 2.6, ERC-4337) with the fields of entry point 0.6, which MetaMask uses for every
 * version. Stricter than MetaMask's own struct: hex must be whole bytes, and gas must be within the entry point's
 * limit.
 */
export const UserOperationStruct = refine(
  object({
    sender: AddressStruct,
    nonce: Uint256Struct,
    initCode: addressedStruct('a factory'),
    callData: BytesStruct,
    callGasLimit: GasStruct,
    verificationGasLimit: GasStruct,
    preVerificationGas: GasStruct,
    maxFeePerGas: GasStruct,
    maxPriorityFeePerGas: GasStruct,
    paymasterAndData: addressedStruct('a paymaster'),
    signature: BytesStruct,
  }),
  ({ maxFeePerGas, maxPriorityFeePerGas }) =>
    BigInt(maxPriorityFeePerGas) > BigInt(maxFeePerGas)
      ? wrong('must not be above maxFeePerGas', 'maxPriorityFeePerGas')
      : undefined,
);

/** @returns The operation with bigint quantities. */
export const toUserOperation = (json: Infer<typeof UserOperationStruct>): UserOperation => ({
  ...json,
  ...quantitiesOf(json, BigInt),
});

/** @returns The operation with hex quantities, without an authorization. */
export const fromUserOperation = ({
  authorization: _authorization,
  ...operation
}: UserOperation): Infer<typeof UserOperationStruct> => ({ ...operation, ...quantitiesOf(operation, quantityToHex) });

/** @param gas - The struct of each gas limit. */
export const gasLimitsStruct = (gas: Struct<Hex>) =>
  object({ callGasLimit: gas, verificationGasLimit: gas, preVerificationGas: gas });

/** The user operation details (specification 2.5). */
export const UserOperationDetailsStruct = object({
  callData: BytesStruct,
  initCode: BytesStruct,
  nonce: Uint256Struct,
  gasLimits: exactOptional(gasLimitsStruct(GasStruct)),
  dummySignature: BytesStruct,
  dummyPaymasterAndData: BytesStruct,
  bundlerUrl: ServiceUrlStruct,
});

/** The partial user operation (specification 2.7). Gas limits are fixed during preparation. */
export const UserOperationPatchStruct = object({ paymasterAndData: BytesStruct });

/** The result of `eth_decodeUserOperationCallData`: intents with a recipient. */
export const DecodedCallsStruct = array(object({ to: AddressStruct, value: Uint256Struct, data: BytesStruct }));
